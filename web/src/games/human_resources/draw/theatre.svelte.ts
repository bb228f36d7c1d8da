/** Plays what happened on the table: cubicles slide into place, cards fly between the piles, a completed
 * project lights up on the very squares that form it. The table itself is already as it is now. */
import { tick } from "svelte";
import type { GameEvent, News } from "../../game";
import { SQUARE } from "../input/camera";
import { parseSquare } from "../model/floor";
import { motionsOf, touched, type Motion, type Zone } from "./motion";

export interface Flight {
  id: number;
  card: string;
  from: DOMRect;
  to: DOMRect;
}

const SLIDE = 480;
const FLIGHT = 520;
const CELEBRATION = 4200;

export class Theatre {
  flights: Flight[] = $state.raw([]);
  glows: { squares: string[]; label: string }[] = $state.raw([]);
  marked: string[] = $state.raw([]);
  #count = 0;
  #curtain: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly stage: () => HTMLElement | undefined) {}

  /** Show what came. One's own move has been seen before it was sent: only its effects are shown. */
  async perform(news: News[], you: string | null): Promise<void> {
    const last = news.at(-1);
    if (last === undefined) return;
    const events = news.flatMap((entry) => entry.events);
    const byOther = news.filter((entry) => !isBy(entry.events, you)).flatMap((entry) => entry.events);
    this.marked = touched(byOther);
    this.#celebrate(events);
    if (globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? true) return;
    await tick();
    for (const motion of last.events.flatMap(motionsOf)) {
      if (motion.kind === "fly") this.#fly(motion.card, motion.from, motion.to);
      else if (!isBy(last.events, you)) this.#move(motion);
    }
  }

  clear(): void {
    clearTimeout(this.#curtain);
    this.marked = [];
    this.glows = [];
  }

  land(flight: Flight): void {
    this.flights = this.flights.filter((one) => one.id !== flight.id);
  }

  #celebrate(events: GameEvent[]): void {
    const glows = events.flatMap(motionsOf).flatMap((motion) =>
      motion.kind === "celebrate" ? [{ squares: motion.squares, label: `+${motion.value}` }] : [],
    );
    clearTimeout(this.#curtain);
    this.glows = glows;
    if (glows.length > 0) this.#curtain = setTimeout(() => (this.glows = []), CELEBRATION);
  }

  #fly(card: string, from: Zone, to: Zone): void {
    const [start, end] = [this.#zone(from), this.#zone(to)];
    if (start === null || end === null) return;
    this.#count += 1;
    this.flights = [...this.flights, { id: this.#count, card, from: start, to: end }];
  }

  #zone(zone: Zone): DOMRect | null {
    return this.stage()?.querySelector(`[data-zone="${zone}"]`)?.getBoundingClientRect() ?? null;
  }

  #move(motion: Motion): void {
    if (motion.kind === "slide") {
      for (const { from, to } of motion.moves) {
        const [a, b] = [parseSquare(from), parseSquare(to)];
        const start = `translate(${(a.x - b.x) * SQUARE}px, ${(a.y - b.y) * SQUARE}px)`;
        this.#animate(to, [{ transform: start }, { transform: "none" }]);
      }
    }
    if (motion.kind === "drop") {
      this.#animate(motion.square, [
        { transform: "translate(0, -60px) scale(1.25)", opacity: 0 },
        { transform: "none", opacity: 1 },
      ]);
    }
  }

  #animate(square: string, frames: Keyframe[]): void {
    const node = this.stage()?.querySelector(`[data-square="${square}"]`);
    node?.animate?.(frames, { duration: SLIDE, easing: "cubic-bezier(.2,.8,.3,1)" });
  }
}

/** The way of a flying card, from the middle of one place to the middle of another. */
export function flying(node: HTMLElement, flight: Flight, landed: () => void): void {
  const centre = (box: DOMRect) => `translate(${box.left + box.width / 2}px, ${box.top + box.height / 2}px) translate(-50%, -50%)`;
  const animation = node.animate(
    [
      { transform: `${centre(flight.from)} scale(0.8)`, opacity: 0.4 },
      { opacity: 1, offset: 0.2 },
      { opacity: 1, offset: 0.8 },
      { transform: `${centre(flight.to)} scale(1)`, opacity: 0.2 },
    ],
    { duration: FLIGHT, easing: "ease-in-out", fill: "both" },
  );
  animation.onfinish = landed;
  animation.oncancel = landed;
}

function isBy(events: GameEvent[], you: string | null): boolean {
  return you !== null && events[0]?.params["seat"] === you;
}
