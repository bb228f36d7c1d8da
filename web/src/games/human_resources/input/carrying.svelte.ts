/** A card that is dragged: over the office it points at a square, over a pile it is used as that pile says. */
import type { Choice } from "../model/choice.svelte";
import type { SeatCode } from "../model/view";
import type { CardHandlers } from "./card";

/** The part of the floor that a dragged card asks. */
interface Ground {
  point(square: string | null): void;
  squareUnder(x: number, y: number): string | null;
}

interface Around {
  choice(): Choice;
  near(): SeatCode;
  floor(): Ground | undefined;
  tap(square: string): Promise<void>;
}

export class Carrying {
  dragged: { card: string; x: number; y: number; zone: string | null } | null = $state.raw(null);
  #picking: Promise<void> = Promise.resolve();
  readonly #around: Around;

  constructor(around: Around) {
    this.#around = around;
  }

  /** The pile that would take the card now. */
  get over(): string | null {
    const zone = this.dragged?.zone ?? null;
    return this.#useOf(zone) === null ? null : zone;
  }

  /** What a card does that is let go there, if it may. */
  #useOf(zone: string | null): string | null {
    const { uses } = this.#around.choice();
    const near = this.#around.near();
    const use = {
      [`play-${near}`]: "project",
      [`scored-${near}`]: "quota",
      discard: uses.includes("hire") ? "hire" : "idle",
    }[zone ?? ""];
    return use !== undefined && uses.includes(use) ? use : null;
  }

  readonly drag = (card: string): Pick<CardHandlers, "start" | "move" | "drop"> => ({
    start: () => {
      const choice = this.#around.choice();
      this.#picking = choice.card === card && choice.use === null ? Promise.resolve() : choice.pickCard(card);
    },
    move: (x, y) => {
      const [zone, floor] = [zoneUnder(x, y), this.#around.floor()];
      this.dragged = { card, x, y, zone };
      floor?.point(zone === "office" ? floor.squareUnder(x, y) : null);
    },
    drop: (at) => void this.#drop(at),
  });

  async #drop(at: { x: number; y: number } | null): Promise<void> {
    const floor = this.#around.floor();
    this.dragged = null;
    floor?.point(null);
    await this.#picking;
    if (at === null) return;
    const zone = zoneUnder(at.x, at.y);
    if (zone === "office") {
      const square = floor?.squareUnder(at.x, at.y);
      if (square != null) await this.#around.tap(square);
      return;
    }
    const use = this.#useOf(zone);
    if (use !== null) await this.#around.choice().pick("use", use);
  }
}

function zoneUnder(x: number, y: number): string | null {
  for (const node of document.elementsFromPoint(x, y)) {
    const zone = node.closest<HTMLElement>("[data-zone]")?.dataset["zone"];
    if (zone !== undefined) return zone;
  }
  return null;
}
