/** The view of a table as the server sends it (`view_data`), and what a card's name tells. */

export type Colour = "dark" | "light";
export type SeatCode = "A" | "B";

/** A card's name, or `dark`, `light` or `?` where no more is known. */
export type Shown = string;

export interface Cubicle {
  square: string;
  colour: Colour;
  /** Only where the viewer has seen it. */
  face?: string;
}

export interface OfficeView {
  viewer: SeatCode | "spectator" | "all";
  office: Cubicle[];
  hands: Record<SeatCode, Shown[]>;
  play: Record<SeatCode, string[]>;
  scored: Record<SeatCode, string[]>;
  points: Record<SeatCode, number>;
  discard: string[];
  deck: { count: number; known: Shown[] };
  to_act: SeatCode[];
  turn: SeatCode;
  phase: "turn" | "two-plays" | "pick-up" | "arrange" | "over";
  plays_left: number;
  hiring: string | null;
  overtime_used: boolean;
  house: Record<string, string>;
  started: SeatCode;
  tossed: boolean;
}

export type Kind = "project" | "manager" | "quota" | "crowdfunding" | "overtime" | "acquisitions" | "operations";

const ABILITIES = ["move", "swap", "draw", "shift", "remove", "exchange", "two-plays", "take", "pick-up"] as const;
const PROMO = ["crowdfunding", "overtime", "acquisitions", "operations"] as const;
const QUOTAS: Record<string, Quota> = {
  Q01d: "three-of-colour",
  Q02d: "five-in-hand",
  Q03d: "more-scored",
  Q01l: "three-of-colour",
  Q02l: "only-card",
  Q03l: "fewer-scored",
};

export type Ability = (typeof ABILITIES)[number] | (typeof PROMO)[number];
export type Quota = "three-of-colour" | "five-in-hand" | "more-scored" | "only-card" | "fewer-scored";

export function isFace(card: Shown): boolean {
  return /^[PMQX]\d\d[dl]$/.test(card);
}

/** The colour of a card's back, known of every card but those inside the deck. */
export function colourOf(card: Shown): Colour | null {
  if (card === "dark" || card === "light") return card;
  if (!isFace(card)) return null;
  return card.endsWith("d") ? "dark" : "light";
}

export function kindOf(card: string): Kind {
  if (card[0] === "P") return "project";
  if (card[0] === "M") return "manager";
  if (card[0] === "Q") return "quota";
  return PROMO[numberOf(card) - 1] ?? "overtime";
}

/** What a manager or promo card does. */
export function abilityOf(card: string): Ability | null {
  if (card[0] === "M") return ABILITIES[numberOf(card) - 1] ?? null;
  return card[0] === "X" ? (PROMO[numberOf(card) - 1] ?? null) : null;
}

export function quotaOf(card: string): Quota | null {
  return QUOTAS[card] ?? null;
}

function numberOf(card: string): number {
  return Number(card.slice(1, 3));
}

export function otherSeat(seat: SeatCode): SeatCode {
  return seat === "A" ? "B" : "A";
}
