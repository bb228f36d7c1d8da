/** What the parts of one table share: the deck, the card looked at, the card dragged. */
import { createContext } from "svelte";
import type { DeckSight } from "../../game";
import type { CardHandlers } from "../input/card";

export interface Shared {
  readonly deck: DeckSight;
  readonly peek: Peek;
  drag(card: string): Pick<CardHandlers, "start" | "move" | "drop">;
}

const LEAVE = 160;

/** The card whose full text is shown, and beside what. */
export class Peek {
  card: string | null = $state(null);
  beside: DOMRect | null = $state.raw(null);

  #leaving: ReturnType<typeof setTimeout> | undefined;

  show(card: string, node: Element): void {
    this.hold();
    this.card = card;
    this.beside = node.getBoundingClientRect();
  }

  hide(): void {
    this.hold();
    this.card = null;
  }

  /** The pointer goes away, perhaps to the card that is shown: that may be pointed at too. */
  leave(): void {
    clearTimeout(this.#leaving);
    this.#leaving = setTimeout(() => this.hide(), LEAVE);
  }

  hold(): void {
    clearTimeout(this.#leaving);
  }
}

export const [shared, share] = createContext<Shared>();
