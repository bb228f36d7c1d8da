/** A deck as its form, and what tapping does to it. What is allowed the server says. */
import type { CardSight, DeckForm } from "../../game";

export interface OfficeCard {
  id: string;
  kind: string;
  colour: "dark" | "light";
  value?: number;
  title: string;
  text: string;
  pattern?: string[];
}

export interface OfficeForm extends DeckForm {
  cards: OfficeCard[];
}

const SIDE = 3;
const NEXT: Record<string, string> = { ".": "D", D: "L", L: "." };
const REVERSED: Record<string, string> = { D: "L", L: "D" };

/** The places of a card and its twin, the dark one first. */
export function pairOf(form: OfficeForm, place: number): [number, number] {
  const id = form.cards[place]?.id.slice(0, 3) ?? "";
  const at = (colour: string) => form.cards.findIndex((card) => card.id === id + colour);
  return [at("d"), at("l")];
}

/** A pattern on all nine squares. */
export function squares(pattern: string[] | undefined): string[] {
  return Array.from({ length: SIDE }, (_, y) => (pattern?.[y] ?? "").padEnd(SIDE, ".").slice(0, SIDE));
}

export function reversed(pattern: string[]): string[] {
  return pattern.map((row) => [...row].map((letter) => REVERSED[letter] ?? letter).join(""));
}

/** Both twins with this pattern of the one at `place`. */
export function withPattern(form: OfficeForm, place: number, pattern: string[]): OfficeForm {
  const other = pairOf(form, place).find((one) => one !== place);
  return {
    ...form,
    cards: form.cards.map((card, at) => (at === place ? { ...card, pattern } : at === other ? { ...card, pattern: reversed(pattern) } : card)),
  };
}

/** A square goes on from not shown to dark, to light, and round again. */
export function tapped(form: OfficeForm, place: number, x: number, y: number): OfficeForm {
  const rows = squares(form.cards[place]?.pattern).map((row) => [...row]);
  const row = rows[y];
  if (row !== undefined) row[x] = NEXT[row[x] ?? "."] ?? ".";
  return withPattern(form, place, rows.map((row) => row.join("")));
}

export function written(form: OfficeForm, place: number, field: "title" | "text", value: string): OfficeForm {
  return { ...form, cards: form.cards.map((card, at) => (at === place ? { ...card, [field]: value } : card)) };
}

/** A card as it is drawn. */
export function faceOf(card: OfficeCard): CardSight {
  const drawing = card.pattern ?? [];
  const isBlank = drawing.every((row) => /^\.*$/.test(row));
  return { name: card.id, title: card.title, back: card.colour, value: card.value ?? null, drawing: isBlank ? [] : drawing, text: "", quip: card.text, worths: {} };
}
