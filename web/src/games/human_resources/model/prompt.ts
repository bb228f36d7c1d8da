/** What to do now, as a word of the catalogue and its parameters. */
import type { Choice } from "./choice.svelte";
import { abilityOf, type OfficeView } from "./view";
import type { Word } from "../words";

export interface Prompt {
  word: Word;
  /** The name of a card, to be spoken by its title. */
  card?: string;
  n?: number;
}

export function promptOf(choice: Choice, view: OfficeView): Prompt {
  if (choice.sent) return { word: "now.sent" };
  if (choice.whole !== null && choice.next.every((step) => step.kind === "overtime" || step.kind === "leave")) return { word: "now.confirm" };
  if (view.phase === "pick-up") return { word: "now.pick-up" };
  if (view.phase === "arrange") return { word: "now.arrange" };
  const card = choice.card;
  if (card === null) return view.phase === "two-plays" ? { word: "now.two-plays", n: view.plays_left } : { word: "now.turn" };
  if (choice.use === null) return { word: "now.use", card };
  if (choice.use === "place") return { word: "now.place", card };
  if (choice.use === "idle") return { word: "now.confirm" };
  const squares = choice.pickedSquares.length;
  switch (abilityOf(card)) {
    case "move":
      return { word: squares === 0 ? "now.move.from" : "now.move.to" };
    case "swap":
      return { word: squares === 0 ? "now.swap.first" : "now.swap.second" };
    case "shift":
      if (choice.direction !== null) return { word: "now.shift.distance" };
      if (squares === 0) return { word: "now.shift.first" };
      return { word: choice.directions.length === 0 && !choice.busy ? "now.shift.add" : "now.shift.more" };
    case "remove":
      return { word: "now.remove" };
    case "exchange":
      return { word: choice.pickedCards.length === 0 ? "now.exchange.card" : "now.exchange.square" };
    case "take":
      return { word: "now.take" };
    case "acquisitions":
      return { word: "now.acquire" };
    default:
      return { word: "now.confirm" };
  }
}

/** Cards to choose from that lie nowhere in sight: the discard pile, or the top of the deck. */
export function trayOf(choice: Choice, view: OfficeView): string[] {
  if (view.phase === "arrange") {
    const looked = new Set([...choice.pickedCards, ...choice.cards]);
    return view.deck.known.filter((card) => looked.has(card));
  }
  if (choice.card !== null && choice.use === "hire" && abilityOf(choice.card) === "take") return view.discard;
  return [];
}
