/** Turns played back, step by step: one department in one phase. No drawing; time comes from a timer. */
import { pointsBefore, stepsOf, type PlayedStep } from "./plan";
import type { FarmView, FloorName, Seat } from "./view";

/** How long a step is looked at, and how long an envelope takes to be torn open, in milliseconds. */
const STEP = 1200;
const TEAR = 700;

export class Playback {
  #view: () => FarmView;
  /** A length of time as somebody likes it; 0 where nothing is to move. */
  #paced: (milliseconds: number) => number;
  /** Told of each step as it is played, the last one too. */
  #played: (step: PlayedStep) => void;
  /** The place of the turn in the history. */
  turn = $state(0);
  /** The last turn to be shown, one after the other. */
  last = $state(0);
  /** So many steps of it are shown. */
  shown = $state(0);
  isPlaying = $state(false);
  /** What has happened lies in an envelope until it is opened: nothing of it is known before. */
  envelope = $state<"none" | "closed" | "torn">("none");
  /** Nobody has seen these turns yet: nothing is told before it is shown. */
  isNew = $state(false);
  /** The floor on the stage. */
  floor = $state<FloorName>("top");
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    view: () => FarmView,
    paced: (milliseconds: number) => number = (milliseconds) => milliseconds,
    played: (step: PlayedStep) => void = () => {},
  ) {
    this.#view = view;
    this.#paced = paced;
    this.#played = played;
    this.turn = this.last = Math.max(0, view().history.length - 1);
    this.#go(this.steps.length);
  }

  get steps(): PlayedStep[] {
    return stepsOf(this.#view().history[this.turn]?.results ?? []);
  }

  /** The step shown last. */
  get step(): PlayedStep | null {
    return this.steps[this.shown - 1] ?? null;
  }

  /** Everybody's points as far as this has been shown. */
  get points(): Record<Seat, number> {
    return pointsBefore(this.#view(), this.turn, this.shown);
  }

  /** What the step shown last brought each department. */
  get gains(): Partial<Record<Seat, number>> {
    if (this.shown === 0) return {};
    const before = pointsBefore(this.#view(), this.turn, this.shown - 1);
    const entries = Object.entries(this.points).map(([seat, points]) => [seat, points - before[seat as Seat]] as const);
    return Object.fromEntries(entries.filter(([, gain]) => gain !== 0));
  }

  /** Whether there is nothing left to be shown. */
  get isDone(): boolean {
    return this.envelope === "none" && this.turn >= this.last && this.shown >= this.steps.length;
  }

  /** Show a turn from its beginning, or as it was in the end. */
  show(turn: number, atEnd = false): void {
    this.envelope = "none";
    this.isNew = false;
    this.turn = this.last = turn;
    this.go(atEnd ? this.steps.length : 0);
  }

  /** Turns that nobody has seen yet lie there, in one envelope after the other. */
  bring(turn: number, last: number): void {
    this.show(turn);
    this.last = last;
    this.isNew = true;
    this.envelope = "closed";
  }

  /** Tear the envelope open and play what is in it. Where nothing moves, all of it is there at once. */
  open(): void {
    if (this.envelope !== "closed") return;
    clearTimeout(this.#timer);
    if (this.#paced(STEP) === 0) {
      this.envelope = "none";
      this.go(this.steps.length);
      return;
    }
    this.envelope = "torn";
    this.#timer = setTimeout(() => {
      this.envelope = "none";
      this.play();
    }, this.#paced(TEAR));
  }

  /** All of it, at once. */
  skip(): void {
    this.show(this.last, true);
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
    this.#wait(this.shown === 0 ? STEP / 2 : STEP);
  }

  pause(): void {
    this.isPlaying = false;
    clearTimeout(this.#timer);
  }

  /** On to the next turn that nobody has seen yet. */
  goOn(): void {
    if (this.turn >= this.last) return;
    const { last } = this;
    this.bring(this.turn + 1, last);
    this.open();
  }

  #wait(milliseconds: number): void {
    clearTimeout(this.#timer);
    if (!this.isPlaying) return;
    this.#timer = setTimeout(
      () => {
        this.#go(this.shown + 1);
        if (this.step) this.#played(this.step);
        if (this.shown >= this.steps.length) this.isPlaying = false;
        this.#wait(STEP);
      },
      this.#paced(milliseconds) || milliseconds,
    );
  }
}
