/** A turn played back, step by step: one department in one phase. No drawing; time comes from a timer. */
import { stepsOf, type PlayedStep } from "./plan";
import type { FarmView, FloorName } from "./view";

const PACE = 1600;

export class Playback {
  #view: () => FarmView;
  /** The place of the turn in the history. */
  turn = $state(0);
  /** So many steps of it are shown. */
  shown = $state(0);
  isPlaying = $state(false);
  /** The floor on the stage. */
  floor = $state<FloorName>("top");
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: () => FarmView) {
    this.#view = view;
    this.turn = Math.max(0, view().history.length - 1);
    this.shown = this.steps.length;
  }

  get steps(): PlayedStep[] {
    return stepsOf(this.#view().history[this.turn]?.results ?? []);
  }

  /** The step shown last. */
  get step(): PlayedStep | null {
    return this.steps[this.shown - 1] ?? null;
  }

  /** Show a turn from its beginning, or as it was in the end. */
  show(turn: number, atEnd = false): void {
    this.turn = turn;
    this.go(atEnd ? this.steps.length : 0);
  }

  go(shown: number): void {
    this.pause();
    this.#go(shown);
  }

  #go(shown: number): void {
    this.shown = Math.min(Math.max(shown, 0), this.steps.length);
    const step = this.step ?? this.steps[0];
    if (step) this.floor = step.floor;
  }

  play(): void {
    if (this.shown >= this.steps.length) this.#go(0);
    this.isPlaying = this.steps.length > 0;
    this.#wait();
  }

  pause(): void {
    this.isPlaying = false;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (!this.isPlaying) return;
    this.#timer = setTimeout(() => {
      this.#go(this.shown + 1);
      if (this.shown >= this.steps.length) this.isPlaying = false;
      this.#wait();
    }, PACE);
  }
}
