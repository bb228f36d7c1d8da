import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import fixture from "./fixture.json";
import { Playback } from "./playback.svelte";
import type { FarmView } from "./view";

const view = (fixture.views as unknown as FarmView[]).at(-1) as FarmView;

const views = fixture.views as unknown as FarmView[];
/** As they were told at the time. */
const pointsAfter = (turn: number) => views[turn + 1]?.points;

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
      vi.advanceTimersByTime(1200);
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
  it("begins on the floor of the step that is told", () => {
    for (const turn of view.history.keys()) {
      const playback = new Playback(() => ({ ...view, history: view.history.slice(0, turn + 1) }));
      expect(playback.step).not.toBeNull();
      expect(playback.floor).toBe(playback.step?.floor);
    }
  });
  it("has nothing to play before the first turn", () => {
    const playback = new Playback(() => ({ ...view, history: [] }));
    playback.play();
    expect(playback.isPlaying).toBe(false);
  });
  it("keeps what happened in an envelope until it is opened, points too", () => {
    const playback = new Playback(() => view);
    playback.bring(1, 2);
    expect(playback.envelope).toBe("closed");
    expect(playback.points).toEqual(pointsAfter(0));
    vi.advanceTimersByTime(60_000);
    expect(playback.points).toEqual(pointsAfter(0));
    playback.open();
    expect(playback.envelope).toBe("torn");
    vi.advanceTimersByTime(700);
    expect([playback.envelope, playback.isPlaying, playback.shown]).toEqual(["none", true, 0]);
    vi.advanceTimersByTime(600 + 1200 * playback.steps.length);
    expect(playback.points).toEqual(pointsAfter(1));
    expect(playback.isDone).toBe(false);
    playback.goOn();
    expect([playback.turn, playback.envelope]).toEqual([2, "torn"]);
    playback.skip();
    expect(playback.isDone).toBe(true);
    expect(playback.points).toEqual(pointsAfter(2));
  });
  it("shows all of it at once where nothing moves", () => {
    const playback = new Playback(() => view, () => 0);
    playback.bring(1, 1);
    playback.open();
    expect(playback.isDone).toBe(true);
    expect(playback.points).toEqual(pointsAfter(1));
  });
  it("tells what each step brought, and they add up to the turn", () => {
    const playback = new Playback(() => view);
    for (let turn = 0; turn < view.history.length; turn += 1) {
      playback.show(turn);
      const sum = { ...playback.points };
      for (let step = 1; step <= playback.steps.length; step += 1) {
        playback.go(step);
        for (const [seat, gain] of Object.entries(playback.gains)) sum[seat as "S"] += gain;
      }
      expect(sum).toEqual(pointsAfter(turn));
    }
  });
  it("tells of each step as it is played, the last one too; not of one that somebody goes to", () => {
    const heard: number[] = [];
    const playback: Playback = new Playback(() => view, undefined, () => heard.push(playback.shown));
    playback.show(0);
    playback.go(1);
    expect(heard).toEqual([]);
    playback.show(0);
    playback.play();
    vi.advanceTimersByTime(60_000);
    expect(heard).toEqual(playback.steps.map((_, place) => place + 1));
  });
});
