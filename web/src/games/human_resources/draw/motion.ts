/** What events look like as motion: which cubicles slide, drop, lift; which card flies from where to
 * where; which squares are celebrated. Data only; the drawing plays it. */
import type { GameEvent } from "../../game";
import { shifted } from "../model/floor";
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

/** Squares that an event touched, to be marked until the next choice is made. */
export function touched(events: GameEvent[]): string[] {
  const squares = events.flatMap(motionsOf).flatMap((motion) => {
    if (motion.kind === "drop" || motion.kind === "lift") return [motion.square];
    return motion.kind === "slide" ? motion.moves.map((move) => move.to) : [];
  });
  return [...new Set(squares)];
}
