/** Plays what happened on the table, one thing after the other: cards fly between the piles, cubicles slide
 * and drop, a completed project is stamped on its squares and its points fly to the score. The table
 * itself is already as it is now; where nothing may move, only the facts remain. */
import { tick } from "svelte";
import type { GameEvent, News } from "../../game";
import { mayMove, paced } from "$/table/settings.svelte";
import { buzz, sound, type Sound } from "$/table/sound";
import { SQUARE } from "../input/camera";
import { parseSquare } from "../model/floor";
import { otherSeat, type SeatCode } from "../model/view";
import { looks } from "./looks.svelte";
import { CELEBRATION, FLIGHT, cuesOf, type Cue, type Motion, type Zone } from "./motion";

export interface Flight {
  id: number;
  /** A card's name, or a number of points. */
  card: string;
  points: number;
  from: DOMRect;
  to: DOMRect;
  delay: number;
  length: number;
}

export class Theatre {
  flights: Flight[] = $state.raw([]);
  /** Cards that are on their way into the hand. */
  arriving: Set<string> = $state.raw(new Set());
  /** When the stamps of what just came are pressed, in milliseconds from now; none where nothing moves. */
  stamping: number | null = $state(null);
  #count = 0;
  #timers: ReturnType<typeof setTimeout>[] = [];

  constructor(readonly stage: () => HTMLElement | undefined) {}

  async perform(news: News[], you: string | null): Promise<void> {
    if (news.length === 0) return;
    const events = news.flatMap((entry) => entry.events);
    const cues = cuesOf(events);
    const isOwn = you !== null && events[0]?.params["seat"] === you;
    this.#timers.forEach(clearTimeout);
    this.#timers = [];
    looks.settle();
    this.#sounds(cues, you);
    if (!mayMove()) {
      this.stamping = null;
      for (const { motion } of cues) if (motion.kind === "celebrate") looks.arrive(motion.seat, motion.value);
      for (const event of events) for (const [seat, points] of besides(event)) looks.arrive(seat, points);
      return;
    }
    const first = cues.find((cue) => cue.motion.kind === "celebrate");
    this.stamping = first === undefined ? null : paced(first.at);
    for (const { motion } of cues) if (motion.kind === "celebrate") looks.flying[motion.seat] += motion.value;
    for (const event of events) {
      for (const [seat, points] of besides(event)) {
        looks.flying[seat] += points;
        this.#later(FLIGHT, () => looks.arrive(seat, points));
      }
    }
    this.arriving = new Set(cues.flatMap(({ motion }) => (motion.kind === "fly" && motion.from === "deck" ? [motion.card] : [])));
    await tick();
    for (const cue of cues) {
      const { motion } = cue;
      if (motion.kind === "fly") this.#fly(motion.card, 0, this.#zone(motion.from), this.#zone(motion.to), cue.at, cue.length);
      else if (motion.kind === "celebrate") this.#score(motion, cue.at);
      else if (!isOwn) this.#move(motion, cue);
    }
    // Whatever could not fly is there all the same.
    const end = Math.max(0, ...cues.map((cue) => cue.at + cue.length));
    this.#later(end + 60, () => (this.arriving = new Set()));
  }

  #later(milliseconds: number, then: () => void): void {
    this.#timers.push(setTimeout(then, paced(milliseconds)));
  }

  land(flight: Flight): void {
    this.flights = this.flights.filter((one) => one.id !== flight.id);
    if (this.arriving.has(flight.card)) this.arriving = new Set([...this.arriving].filter((card) => card !== flight.card));
  }

  #sounds(cues: Cue[], you: string | null): void {
    const of: Record<Motion["kind"], Sound[]> = { fly: ["paper"], drop: ["thud"], lift: ["paper"], slide: ["chair"], celebrate: ["stamp", "chime"] };
    for (const { at, motion } of cues) {
      of[motion.kind].forEach((name, place) => sound(name, paced(at + place * 260)));
      if (motion.kind === "celebrate" && motion.seat === you) buzz(25, 60, 40);
    }
  }

  #fly(card: string, points: number, from: DOMRect | null, to: DOMRect | null, at: number, length: number): void {
    if (from === null || to === null) return;
    this.#count += 1;
    this.flights = [...this.flights, { id: this.#count, card, points, from, to, delay: paced(at), length: paced(length) }];
  }

  /** The points fly from their squares into the score, and count. */
  #score(motion: Extract<Motion, { kind: "celebrate" }>, at: number): void {
    const boxes = motion.squares.flatMap((square) => document.querySelector(`[data-square="${square}"]`)?.getBoundingClientRect() ?? []);
    const middle = boxes[Math.floor(boxes.length / 2)] ?? null;
    this.#fly("", motion.value, middle, this.#zone(`scored-${motion.seat}`), at + CELEBRATION * 0.5, CELEBRATION * 0.5);
    this.#later(at + CELEBRATION, () => looks.arrive(motion.seat, motion.value));
  }

  #zone(zone: Zone): DOMRect | null {
    // One's own hand lies on the table, the others' beside their names.
    const found = this.stage()?.querySelector(`[data-zone="${zone}"]`) ?? document.querySelector(`[data-zone="${zone}"]`);
    return found?.getBoundingClientRect() ?? null;
  }

  #move(motion: Motion, cue: Cue): void {
    if (motion.kind === "slide") {
      for (const { from, to } of motion.moves) {
        const [a, b] = [parseSquare(from), parseSquare(to)];
        const start = `translate(${(a.x - b.x) * SQUARE}px, ${(a.y - b.y) * SQUARE}px)`;
        this.#animate(to, [{ transform: start }, { transform: "none" }], cue);
      }
    }
    if (motion.kind === "drop") {
      this.#animate(motion.square, [
        { transform: "translate(0, -14px)", opacity: 0 },
        { transform: "translate(0, 2px)", opacity: 1, offset: 0.7 },
        { transform: "none", opacity: 1 },
      ], cue);
    }
  }

  #animate(square: string, frames: Keyframe[], { at, length }: Cue): void {
    const node = this.stage()?.querySelector(`[data-square="${square}"]`);
    node?.animate?.(frames, { duration: paced(length), delay: paced(at), easing: "cubic-bezier(.3,.7,.3,1)", fill: "backwards" });
  }
}

/** Points that no square gave. */
function besides(event: GameEvent): [SeatCode, number][] {
  const seat = event.params["seat"] as SeatCode;
  const value = Number(event.params["value"] ?? 0);
  if (event.code === "quota") return [[seat, value]];
  return event.code === "acquired" || event.code === "acquired-to-hand" ? [[otherSeat(seat), value]] : [];
}

/** The way of a flying thing, from the middle of one place to the middle of another. */
export function flying(node: HTMLElement, flight: Flight, landed: () => void): void {
  const centre = (box: DOMRect) => `translate(${box.left + box.width / 2}px, ${box.top + box.height / 2}px) translate(-50%, -50%)`;
  const animation = node.animate(
    [
      { transform: `${centre(flight.from)} scale(0.85)`, opacity: 0 },
      { opacity: 1, offset: 0.15 },
      { opacity: 1, offset: 0.85 },
      { transform: `${centre(flight.to)} scale(0.85)`, opacity: 0.3 },
    ],
    { duration: flight.length, delay: flight.delay, easing: "cubic-bezier(.4,0,.2,1)", fill: "both" },
  );
  animation.onfinish = landed;
  animation.oncancel = landed;
}
