/** A card in words. */
import type { CardSight, DeckSight } from "../../game";
import { abilityOf, colourOf, isFace, kindOf, quotaOf } from "../model/view";
import { say, type Word } from "../words";

/** What the card says, in the reader's language. */
export function textOf(card: CardSight): string {
  const ability = abilityOf(card.name);
  if (ability !== null) return say(`ability.${ability}`);
  const quota = quotaOf(card.name);
  return quota === null ? say("project.text") : say(`quota.${quota}`);
}

/** The whole card for somebody who does not see it; a back by its colour. */
export function spoken(deck: DeckSight, card: string): string {
  const face = deck.cards[card];
  if (!isFace(card) || face === undefined) return say(`back.${colourOf(card) ?? "unknown"}`);
  const parts = [face.title, say(`kind.${kindOf(card)}`), say(colourOf(card) ?? "unknown")];
  if (face.value !== null) parts.push(say("worth", { n: face.value }));
  return `${parts.join(", ")}. ${patternOf(face)}${textOf(face)}`;
}

function patternOf(face: CardSight): string {
  if (face.drawing.length === 0) return "";
  const rows = face.drawing.map((row) => [...row].map((letter) => say(`pattern.${letter}` as Word)).join(" "));
  return `${say("pattern.rows", { rows: rows.join("; ") })}. `;
}
