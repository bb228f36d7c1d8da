/** A view as lines of text, whatever game it is of. */
import type { DeckSight } from "../../game";

/** What is known by a name, and what there is of it. Names of cards get their titles. */
export function lines(view: unknown, deck: DeckSight): { name: string; text: string }[] {
  if (typeof view !== "object" || view === null) return [];
  return Object.entries(view)
    .map(([name, value]) => ({ name, text: told(value, deck) }))
    .filter(({ text }) => text !== "");
}

export function titled(value: string, deck: DeckSight): string {
  const card = deck.cards[value];
  return card === undefined || card.title === value ? value : `${value} (${card.title})`;
}

export function describe(view: unknown, deck: DeckSight): string {
  return lines(view, deck)
    .map(({ name, text }) => `${name}: ${text}.`)
    .join("\n");
}

function told(value: unknown, deck: DeckSight): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map((one) => told(one, deck) || "-").join(", ");
  if (typeof value === "object")
    return Object.entries(value)
      .map(([name, one]) => `${name} ${told(one, deck)}`)
      .join("; ");
  return titled(String(value), deck);
}
