/** One thing at a time. What comes from the server waits in a line and steps on the stage when the thing
 * before it has been seen; the other's move also waits for some thought. What comes while the stage is
 * free is shown at once, in the same call.
 *
 *     const pace = new Pace<Frame>((frame) => draw(frame));  // says for how long it holds the stage
 *     pace.push(frame, THOUGHT);                             // not before that long after the last one
 *     pace.behind                                            // something waits: nobody is asked yet
 *     pace.skip()                                            // all that waits, now
 */
import { paced } from "./settings.svelte";

/** The other thinks for at least this long, in milliseconds at calm speed. */
export const THOUGHT = 600;
/** How long something holds the stage that says nothing else. */
export const MOMENT = 400;

export class Pace<T> {
  behind = $state(false);
  #line: { item: T; after: number }[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When what is on the stage has been seen. */
  #free = 0;

  constructor(
    /** Shows it, and says for how many milliseconds of calm it holds the stage. */
    readonly show: (item: T) => number,
    /** Nobody is looking, or nobody may wait: everything at once. */
    readonly hurries: () => boolean = () => false,
  ) {}

  /** `after` is the pause before it, counted from the end of what is on the stage; with `null` it holds
   * up nothing and waits only for what came before it. */
  push(item: T, after: number | null): void {
    this.#line.push({ item, after: after ?? -Infinity });
    if (this.#timer === undefined) this.#next();
  }

  /** What is on the stage already, to be looked at first. */
  hold(milliseconds: number): void {
    this.#free = Math.max(this.#free, Date.now() + paced(milliseconds));
  }

  skip(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#free = 0;
    while (this.#line.length > 0) this.#step();
    this.#free = 0;
    this.behind = false;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#line = [];
  }

  #next(): void {
    this.#timer = undefined;
    while (this.#line[0] !== undefined) {
      const wait = this.hurries() ? 0 : this.#free + paced(this.#line[0].after) - Date.now();
      if (wait > 0) {
        this.behind = true;
        this.#timer = setTimeout(() => this.#next(), wait);
        return;
      }
      this.#step();
    }
    this.behind = false;
  }

  #step(): void {
    const first = this.#line.shift();
    // Before it is shown: what is drawn with it shall know whether more is to come.
    this.behind = this.#line.length > 0;
    if (first !== undefined) this.#free = Math.max(this.#free, Date.now() + paced(this.show(first.item)));
  }
}
