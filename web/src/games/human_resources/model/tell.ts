/** Events in words: with the players' names and the cards' titles, "you" where it is you. */
import type { DeckSight, GameEvent, Telling } from "../../game";
import { colourOf } from "./view";
import { catalogue, say, type Word } from "../words";

export function nameOf(table: Telling, seat: string): string {
  if (seat === table.you) return say("you");
  const found = table.seats.find((one) => one.seat === seat);
  return found?.name || say("seat", { seat });
}

/** A card by its title; one that is not known by its back. */
export function titleOf(deck: DeckSight, card: string): string {
  if (card === "dark" || card === "light") return say(`a.${card}`);
  return deck.cards[card]?.title ?? card;
}

/** A square is called by its way from the first cubicle, whose own name, a mere 0, needs a word in a sentence. */
export function squareCalled(square: string): string {
  return square === "0" ? say("square.first") : square;
}

/** For a sentence that may begin with a word. */
export function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

const SQUARES = ["square", "squares", "to", "other"];
const CARDS = ["card", "taken", "laid"];

/** The sentence for an event; nothing for those that the table itself shows. */
export function tell(table: Telling, event: GameEvent): string {
  const seat = String(event.params["seat"] ?? "");
  const key = `event.${event.code}.${seat === table.you ? "you" : "other"}`;
  if (!(key in catalogue.en)) return "";
  const params: Record<string, string | number> = { who: nameOf(table, seat) };
  const colour = colourOf(String(event.params["card"] ?? ""));
  if (colour !== null) params["colour"] = say(`as.${colour}`);
  for (const [name, value] of Object.entries(event.params)) {
    if (CARDS.includes(name)) params[name] = titleOf(table.deck, String(value));
    else if (name === "direction") params[name] = say(`direction.${String(value)}` as Word);
    else if (SQUARES.includes(name)) params[name] = [value].flat().map((square) => squareCalled(String(square))).join(", ");
    else if (Array.isArray(value)) params[name] = value.join(", ");
    else if (typeof value === "number") params[name] = value;
    else params[name] = String(value);
  }
  return say(key as Word, params);
}

export function tellAll(table: Telling, events: GameEvent[]): string {
  return events
    .map((event) => tell(table, event))
    .filter((sentence) => sentence !== "")
    .join(" ");
}
