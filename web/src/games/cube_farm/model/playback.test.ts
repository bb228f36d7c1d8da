import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import fixture from "./fixture.json";
import { Playback } from "./playback.svelte";
import type { FarmView } from "./view";

const view = (fixture.views as unknown as FarmView[]).at(-1) as FarmView;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a playback", () => {
  it("plays a turn to its end by itself and follows the floors", () => {
    const playback = new Playback(() => view);
    playback.show(0);
    expect(playback.shown).toBe(0);
    playback.play();
    const floors = new Set<string>();
    for (let step = 0; step < 12; step += 1) {
      vi.advanceTimersByTime(1700);
      floors.add(playback.floor);
      if (playback.step) expect(playback.floor).toBe(playback.step.floor);
    }
    expect(playback.shown).toBe(playback.steps.length);
    expect(playback.isPlaying).toBe(false);
    expect(floors.size).toBe(3);
  });
  it("stops when somebody steps, and begins again from the end", () => {
    const playback = new Playback(() => view);
    playback.show(1, true);
    playback.play();
    expect(playback.shown).toBe(0);
    playback.go(2);
    expect([playback.shown, playback.isPlaying]).toEqual([2, false]);
    vi.advanceTimersByTime(5000);
    expect(playback.shown).toBe(2);
    playback.go(99);
    expect(playback.shown).toBe(playback.steps.length);
    playback.go(-1);
    expect(playback.shown).toBe(0);
  });
  it("has nothing to play before the first turn", () => {
    const playback = new Playback(() => ({ ...view, history: [] }));
    playback.play();
    expect(playback.isPlaying).toBe(false);
  });
});
