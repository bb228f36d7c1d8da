/** The server's own words for what it sends, from its description (`npm run types`). */
import type { components } from "./schema";
import type { DeckForm, DeckSight, GameEvent } from "$/games/game";

type Schemas = components["schemas"];

export type Me = Schemas["Me"];
export type Catalogue = Schemas["Catalogue"];
export type GameSight = Schemas["GameSight"];
/** What has a default there is always told. */
export type Listed = Required<Schemas["Listed"]>;
export type NewSeat = Schemas["NewSeat"];
export type NewTable = Schemas["NewTable"];
export type ClockRule = Schemas["ClockRule"];
export type ClockSight = Schemas["ClockSight"];
export type OfferSight = Schemas["OfferSight"];
export type ChatLine = Schemas["ChatLine"];
export type Seal = Schemas["Seal"];
export type Verification = Schemas["Verification"];
export type Profile = Schemas["Profile"];
export type ResultSight = Schemas["ResultSight"];
export type SessionSight = Schemas["SessionSight"];
export type Shunned = Schemas["Shunned"];
export type Away = Schemas["Away"];
export type Rated = Schemas["Rated"];
export type PressLine = Schemas["PressLine"];
export type AuditLine = Schemas["AuditLine"];
export type MasterPreview = Schemas["MasterPreview"];
export type MasterCalendar = Schemas["Calendar"];
export type CaseTitle = Schemas["CaseTitle"];
export type Overview = Schemas["Overview"];
export type LetterLine = Schemas["LetterLine"];
export type LetterSight = Schemas["LetterSight"];
export type Waiting = Schemas["Waiting"];
export type TableWishes = Schemas["TableWishes"];
export type WaysSight = Schemas["WaysSight"];
export type HookSight = Schemas["HookSight"];
export type Judged = Schemas["Judged"];

export type DeckLine = Schemas["DeckLine"];
export type DeckFault = Schemas["DeckFault"];
export type DeckVersion = Schemas["DeckVersion"];
export type EditSight = Schemas["EditSight"];
export type OwnDeck = Omit<Schemas["OwnDeckSight"], "form" | "deck"> & { form: DeckForm | null; deck: DeckSight | null };

interface Rate {
  rate: number;
  low: number;
  high: number;
}
/** What bots found out about a deck. */
export interface TrialResult {
  matches: number;
  /** Nobody is first where orders are sealed. */
  first: Rate | null;
  seats: number[];
  points: { mean: number };
  entries: { mean: number };
  cards: { card: string; title: string; value: number | null; /** Of results from before this was told there is none. */ worth?: number | null; usual?: number | null; used_rate: number; scored: number; scored_rate: number; winner: Rate; advice: string }[];
}
export type TrialSight = Omit<Schemas["TrialSight"], "result"> & { result: TrialResult | null };

export interface HouseRule {
  name: string;
  choices: string[];
  meaning: string;
  clause: string;
}

export interface Outcome {
  winners: string[];
  points: Record<string, number>;
  reason: string;
  clause: string;
  text: string;
}

export interface Told {
  number: number;
  text: string;
  events: GameEvent[];
}

/** What has a default when a table is made is always told of one. */
export type TableSight = Omit<Required<Schemas["TableSight"]>, "outcome"> & { outcome: Outcome | null };
export type Moment = Schemas["Moment"];
export type Mistake = Schemas["Mistake"];
export type AgainstSight = Required<Schemas["AgainstSight"]>;
export type CaseSight = Schemas["CaseSight"];
export type LessonSight = Omit<Schemas["LessonSight"], "news"> & { news: Told[] };

/** What a table's socket sends. */
export type Frame =
  | { type: "table"; table: TableSight; told: Told[] }
  | { type: "chat"; lines: ChatLine[] }
  | { type: "pong" }
  | { type: "gone"; reason: string };
