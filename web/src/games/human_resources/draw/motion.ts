/** What events look like as motion: which cubicles slide, drop, lift; which card flies from where to
 * where; which squares are celebrated. Data only; the drawing plays it. */
import type { GameEvent } from "../../game";
import { parseSquare, shifted } from "../model/floor";
import { otherSeat, type SeatCode } from "../model/view";

export type Zone = `${"hand" | "play" | "scored"}-${SeatCode}` | "deck" | "discard" | "office";

export type Motion =
  | { kind: "drop"; square: string }
  | { kind: "slide"; moves: { from: string; to: string }[] }
  | { kind: "lift"; square: string }
  | { kind: "fly"; card: string; from: Zone; to: Zone }
  | { kind: "celebrate"; card: string; squares: string[]; value: number; seat: SeatCode };

export function motionsOf(event: GameEvent): Motion[] {
  const seat = (event.params["seat"] ?? "A") as SeatCode;
  const text = (name: string) => String(event.params[name] ?? "");
  const fly = (card: string, from: Zone, to: Zone): Motion => ({ kind: "fly", card, from, to });
  const hired = fly(text("card"), `hand-${seat}`, "discard");
  switch (event.code) {
    case "placed":
      return [{ kind: "drop", square: text("square") }];
    case "project":
      return [fly(text("card"), `hand-${seat}`, `play-${seat}`)];
    case "quota":
      return [fly(text("card"), `hand-${seat}`, `scored-${seat}`)];
    case "moved":
      return [hired, { kind: "slide", moves: [{ from: text("square"), to: text("to") }] }];
    case "swapped": {
      const [here, there] = [text("square"), text("other")];
      return [
        hired,
        {
          kind: "slide",
          moves: [
            { from: here, to: there },
            { from: there, to: here },
          ],
        },
      ];
    }
    case "shifted": {
      const squares = event.params["squares"] as string[];
      const distance = Number(event.params["distance"]);
      return [
        hired,
        { kind: "slide", moves: squares.map((from) => ({ from, to: shifted(from, text("direction"), distance) })) },
      ];
    }
    case "removed":
      return [hired, { kind: "lift", square: text("square") }, fly(text("taken"), "office", `hand-${seat}`)];
    case "exchanged":
      return [hired, fly(text("taken"), "office", `hand-${seat}`), { kind: "drop", square: text("square") }];
    case "took":
      return [hired, fly(text("taken"), "discard", `hand-${seat}`)];
    case "acquired":
    case "acquired-to-hand":
      return [
        fly(text("card"), `hand-${seat}`, `scored-${otherSeat(seat)}`),
        fly(text("taken"), `play-${otherSeat(seat)}`, `${event.code === "acquired" ? "play" : "hand"}-${seat}`),
      ];
    case "hired-draw":
    case "hired-two-plays":
    case "hired-pick-up":
    case "hired-look":
    case "hired-idle":
    case "overtime":
      return [hired];
    case "picked-up":
      return [fly(text("card"), `play-${seat}`, `hand-${seat}`)];
    case "drew":
      return [fly(text("card"), "deck", `hand-${seat}`)];
    case "completed":
    case "backed": {
      const squares = event.params["squares"] as string[];
      const value = Number(event.params["value"]);
      return [{ kind: "celebrate", card: text("card"), squares, value, seat }, fly(text("card"), `play-${seat}`, `scored-${seat}`)];
    }
    case "crowdfunding":
      return [fly(text("card"), `play-${otherSeat(seat)}`, `scored-${seat}`)];
    default:
      return [];
  }
}

export interface Cue {
  /** Milliseconds of calm after the beginning. */
  at: number;
  length: number;
  motion: Motion;
}

export const FLIGHT = 280;
const DROP = 240;
const LIFT = 200;
/** Two squares in this time, however far. */
const TWO_SQUARES = 200;
const LONGEST_SLIDE = 600;
export const CELEBRATION = 900;

/** One thing after the other: when each motion of these events begins, and how long it takes. */
export function cuesOf(events: GameEvent[]): Cue[] {
  const cues: Cue[] = [];
  let at = 0;
  for (const motion of events.flatMap(motionsOf)) {
    const length = lengthOf(motion);
    cues.push({ at, length, motion });
    // The scored card leaves while its squares are still lit.
    if (motion.kind !== "fly" || !motion.to.startsWith("scored")) at += length;
  }
  return cues;
}

/** How long all of it takes. */
export function lengthOfAll(events: GameEvent[]): number {
  return Math.max(0, ...cuesOf(events).map((cue) => cue.at + cue.length));
}

function lengthOf(motion: Motion): number {
  switch (motion.kind) {
    case "fly":
      return FLIGHT;
    case "drop":
      return DROP;
    case "lift":
      return LIFT;
    case "celebrate":
      return CELEBRATION;
    case "slide": {
      const far = Math.max(1, ...motion.moves.map(({ from, to }) => distance(from, to)));
      return Math.min(LONGEST_SLIDE, Math.max(TWO_SQUARES, (far / 2) * TWO_SQUARES));
    }
  }
}

function distance(from: string, to: string): number {
  const [a, b] = [parseSquare(from), parseSquare(to)];
  return Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
}

/** What stays to be seen on the floor of what happened. */
export interface Trace {
  /** Squares that were touched. */
  marked: string[];
  /** The ways that cubicles went. */
  trails: { from: string; to: string }[];
  /** Projects that were completed, on the squares that formed them. */
  stamps: { squares: string[]; label: string }[];
}

export function tracesOf(events: GameEvent[]): Trace {
  const motions = events.flatMap(motionsOf);
  const trails = motions.flatMap((motion) => (motion.kind === "slide" ? motion.moves : []));
  const single = motions.flatMap((motion) => (motion.kind === "drop" || motion.kind === "lift" ? [motion.square] : []));
  return {
    marked: [...new Set([...single, ...trails.map((way) => way.to)])],
    trails,
    stamps: motions.flatMap((motion) => (motion.kind === "celebrate" ? [{ squares: motion.squares, label: `+${motion.value}` }] : [])),
  };
}
