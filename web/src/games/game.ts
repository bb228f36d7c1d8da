/** What the shell and a game's own pictures agree on. A game draws and collects; it decides nothing. */
import type { Component } from "svelte";
import type { Drafts } from "$/table/drafts";
import type { Course } from "$/table/ending";
import type { Seen } from "$/table/seen";
import type { Language } from "$/words";

/** One way to go on, as the server offers it: `kind` says what `value` is (card, use, square, turn...). */
export interface Step {
  kind: string;
  value: string;
}

export interface Options {
  version: number;
  next: Step[];
  /** The move that the steps taken make already, if they do. */
  whole: string | null;
}

export interface GameEvent {
  code: string;
  clause: string;
  params: Record<string, unknown>;
  /** The event in words. */
  text: string;
}

export interface Preview<V = unknown> {
  version: number;
  /** The table after the move, as far as the mover can know it. */
  view: V;
  events: GameEvent[];
  points: number;
}

export interface Verdict {
  is_legal: boolean;
  code: string | null;
  reason: string | null;
  clause: string | null;
}

export interface Played {
  version: number;
  move: string;
  facts: string[];
  events: GameEvent[];
}

export interface Hint {
  move: string;
  /** Why the bot likes it, in words, if it says. */
  text: string;
}

/** What a seat may ask of the server. Each fails with a `Refused` (api/client.ts) that names its reason. */
export interface Server<V = unknown> {
  options(steps: string[]): Promise<Options>;
  preview(move: string): Promise<Preview<V>>;
  why(move: string): Promise<Verdict>;
  /** Sealed orders that are not `ready` are only saved: they count at the deadline. */
  play(move: string, ready?: boolean): Promise<Played>;
  /** Only where the table allows hints. */
  hint?(): Promise<Hint[]>;
  /** Take back one's own last move, only where the server says that it can be. */
  takeBack?: { asks: boolean; now(): Promise<void> };
}

/** A card's face: public knowledge. `drawing` holds the rows of its pattern or floor plan. */
export interface CardSight {
  name: string;
  title: string;
  back: string;
  value: number | null;
  drawing: string[];
  text: string;
  quip: string;
  /** What letters of the drawing are worth, if they are. */
  worths: Record<string, number>;
}

export interface DeckSight {
  name: string;
  title: string;
  hash: string;
  cards: Record<string, CardSight>;
}

/** A deck that is being made, as the game's server side gives and takes it: what else is in it is the game's own. */
export interface DeckForm {
  title: string;
  cards: unknown[];
}

/** What is wrong with a deck, in words; `place` is the card's place in the form from 1 on, 0 if it is no one card's. */
export interface FaultSight {
  place: number;
  card: string;
  fault: string;
  clause: string;
}

export interface EditorProps<F extends DeckForm = DeckForm> {
  form: F;
  faults: FaultSight[];
  /** The card at work, by its place from 0 on. */
  chosen: number;
  choose(place: number): void;
  /** The form is never changed in place. Changes of one kind in a row, such as letters typed into one field, are
   * undone together. */
  change(form: F, kind?: string): void;
}

export interface SeatSight {
  seat: string;
  kind: string;
  name: string;
  is_you: boolean;
  /** At one screen: whether it is played from here too. */
  is_yours?: boolean;
  /** How it stands with sealed orders before a deadline, as far as it is told. */
  orders?: "ready" | "saved" | "missing" | null;
}

/** An entry of the viewer's record that has just come, with what it caused in words. */
export interface News {
  number: number;
  text: string;
  events: GameEvent[];
}

export interface TableProps<V = unknown> {
  view: V;
  deck: DeckSight;
  house: Record<string, string>;
  seats: SeatSight[];
  /** The seat played from here; null for a spectator and in a replay. */
  you: string | null;
  /** Whether `you` may make a move now: on turn, connected, not paused, not over. */
  mayAct: boolean;
  version: number;
  /** What the last frame told; a new array each time something came, empty at first sight. */
  news: News[];
  /** What is still to be seen of what happened, also after a reload: all since one's own last move. Only
   * at a table; elsewhere the game remembers the news itself. */
  trace?: News[];
  /** Something has come that is not shown yet: the other's move is on its way to the board. */
  isBehind?: boolean;
  /** The page shows the seats with their `Badge`s; else the game says itself who has what. */
  hasSeats?: boolean;
  /** How far this viewer has seen the table. Not in a look back. */
  seen?: Seen;
  /** Where a half-made move is kept. */
  drafts?: Drafts;
  server: Server<V>;
  /** A match that has ended, or a look back at one: nobody is waited for. */
  isOver?: boolean;
  /** Squares to stand out, as a lesson points at them. */
  point?: string[];
}

export interface StillProps<V = unknown> {
  view: V;
  deck: DeckSight;
  /** Squares to stand out, by their compass names. */
  highlight?: string[];
}

export interface CardProps {
  card: CardSight;
  size?: "small" | "full";
}

/** Whose table it is that something is told of. */
export interface Telling {
  deck: DeckSight;
  seats: SeatSight[];
  you: string | null;
}

/** Points that somebody got, and for what: a card's title or other words. */
export interface Scored {
  seat: string;
  points: number;
  what: string;
}

export interface BadgeProps<V = unknown> {
  view: V;
  seat: string;
  name: string;
}

export interface PosterProps<V = unknown> {
  view: V;
  deck: DeckSight;
}

export interface GameModule<V = unknown> {
  name: string;
  Table: Component<TableProps<V>>;
  Still: Component<StillProps<V>>;
  Card: Component<CardProps>;
  /** Where a deck is made. Without it a deck is edited as text. */
  Editor?: Component<EditorProps<never>>;
  /** A text board for screen readers: lines, the most important first. */
  describe(view: V, deck: DeckSight, language: Language): string;
  /** Events in this game's own words, with names and titles; without it the server's sentences serve. */
  tell?(table: Telling, events: GameEvent[]): string;
  /** Points that these events gave, as everybody was told: for the race of points, the best move, and what
   * the characters say. Without it there is no race. */
  scores?(deck: DeckSight, events: GameEvent[]): Scored[];
  /** How a match went, where the view tells it by itself: instead of `scores`. */
  course?(view: V): Course;
  /** Whether the table still shows what has happened: how it ended is not told before. Reactive. */
  isTelling?(): boolean;
  /** How long the table takes to show these events, in milliseconds of calm speed. */
  lasts?(events: GameEvent[]): number;
  /** Of those who may act, whether this one is known to be waited for: sealed orders that are in can be
   * changed, but nobody waits for them. Without it everybody who may act is. */
  awaits?(view: V, seat: string): boolean;
  /** The table needs the whole width of a desk: what else there is stands below it. */
  isWide?: boolean;
  /** What stands beside a seat's name: points, cards in hand. */
  Badge?: Component<BadgeProps<V>>;
  /** The goal and how far it is, in one line. */
  goal?(view: V): string;
  /** A colour of its own for each seat, as CSS: for the race of points. */
  inks?: Readonly<Record<string, string>>;
  /** The table at its end, with nothing around it. */
  Poster?: Component<PosterProps<V>>;
  /** The same on a canvas, to be sent around: into a field of that size. */
  paint?(pen: CanvasRenderingContext2D, view: V, deck: DeckSight, width: number, height: number): void;
}

/** What is known of a game before it is fetched. */
export interface About {
  name: string;
  /** Its place among the others on the first page. */
  order: number;
  Picture: Component;
  /** `title`, `facts`, `what` it is, and `house.<rule>` for each house rule. */
  words: Record<Language, { title: string; facts: string; what: string } & Record<string, string>>;
}
