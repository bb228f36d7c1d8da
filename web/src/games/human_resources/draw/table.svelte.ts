/** What the parts of one table share: the deck, the card looked at, the card dragged. */
import { createContext } from "svelte";
import type { DeckSight } from "../../game";
import type { CardHandlers } from "../input/card";

export interface Shared {
  readonly deck: DeckSight;
  readonly peek: Peek;
  drag(card: string): Pick<CardHandlers, "start" | "move" | "drop">;
}

/** The card whose full text is shown, and beside what. It is only looked at: no click is ever its own. */
export class Peek {
  card: string | null = $state(null);
  beside: DOMRect | null = $state.raw(null);

  show(card: string, node: Element): void {
    this.card = card;
    this.beside = node.getBoundingClientRect();
  }

  hide(): void {
    this.card = null;
  }
}

export const [shared, share] = createContext<Shared>();
