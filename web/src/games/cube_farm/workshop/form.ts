/** A deck as its form, and what tapping does to it. What is allowed the server says. */
import type { CardSight, DeckForm } from "../../game";
import type { Kind } from "../model/view";

export interface FarmCard {
  number: number;
  title: string;
  text: string;
  /** 2h+1 rows of 2w+1 characters: squares with their edges between them. */
  drawing: string[];
}

export interface FarmForm extends DeckForm {
  cards: FarmCard[];
  values: Record<string, number>;
  /** What may stand on a square, by its letter. */
  squares: Record<string, { kind: Kind; worth: number }>;
  least_value: number;
  most_value: number;
  most_side: number;
  most_cards: number;
}

const FLOOR = ".";

export function sizeOf({ drawing }: FarmCard): { width: number; height: number } {
  return { width: Math.floor(Math.max(0, ...drawing.map((row) => row.length)) / 2), height: Math.floor(drawing.length / 2) };
}

/** The letter at a place of the drawing; nothing is a blank. */
export function at({ drawing }: FarmCard, column: number, row: number): string {
  return drawing[row]?.[column] ?? " ";
}

/** The same drawing on so many squares, with one character put in. Corners mark nothing. */
function drawn(card: FarmCard, width: number, height: number, column = -1, row = -1, letter = ""): string[] {
  return Array.from({ length: 2 * height + 1 }, (_, y) =>
    Array.from({ length: 2 * width + 1 }, (_, x) => {
      if (x === column && y === row) return letter;
      if (x % 2 === 0 && y % 2 === 0) return "+";
      const there = at(card, x, y);
      return x % 2 === 1 && y % 2 === 1 && there === " " ? FLOOR : there;
    }).join(""),
  );
}

export function changed(form: FarmForm, place: number, change: Partial<FarmCard>): FarmForm {
  return { ...form, cards: form.cards.map((card, at) => (at === place ? { ...card, ...change } : card)) };
}

/** A square, by its place in the drawing, becomes what the letter stands for; an edge becomes a wall or open. */
export function painted(form: FarmForm, place: number, column: number, row: number, brush: string): FarmForm {
  const card = form.cards[place];
  if (card === undefined) return form;
  const { width, height } = sizeOf(card);
  const isSquare = column % 2 === 1 && row % 2 === 1;
  const wall = row % 2 === 0 ? "-" : "|";
  const letter = isSquare ? brush : at(card, column, row) === " " ? wall : " ";
  return changed(form, place, { drawing: drawn(card, width, height, column, row, letter) });
}

export function resized(form: FarmForm, place: number, width: number, height: number): FarmForm {
  const card = form.cards[place];
  if (card === undefined || width < 1 || height < 1 || width > form.most_side || height > form.most_side) return form;
  return changed(form, place, { drawing: drawn(card, width, height) });
}

/** A new card after all others: like this one, or of plain floor. */
export function added(form: FarmForm, like?: FarmCard): FarmForm {
  const number = Math.max(0, ...form.cards.map((card) => card.number)) + 1;
  const blank: FarmCard = { number, title: `Card ${number}`, text: "...", drawing: [] };
  const card = like === undefined ? { ...blank, drawing: drawn(blank, 3, 2) } : { ...like, number };
  return { ...form, cards: [...form.cards, card] };
}

export function removed(form: FarmForm, place: number): FarmForm {
  return { ...form, cards: form.cards.filter((_, at) => at !== place) };
}

/** Machines are worth something else from now on, and are drawn so. */
export function valued(form: FarmForm, kind: string, value: number): FarmForm {
  const squares = Object.fromEntries(Object.entries(form.squares).map(([letter, one]) => [letter, one.kind === kind ? { ...one, worth: value } : one]));
  return { ...form, squares, values: { ...form.values, [kind]: value } };
}

/** A card as it is drawn. */
export function faceOf(form: FarmForm, card: FarmCard): CardSight {
  const worths = Object.fromEntries(Object.entries(form.squares).map(([letter, { worth }]) => [letter, worth]));
  return { name: String(card.number), title: card.title, back: "", value: null, drawing: card.drawing, text: "", quip: card.text, worths };
}
