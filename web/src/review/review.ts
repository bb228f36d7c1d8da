/** A match that was looked back on, as `openplan review --json` tells it. */
import type { GameEvent } from "$/games/game";

export interface Judged {
  entry: number;
  seat: string;
  move: string;
  best: string;
  /** The chance to win with the best move, and with the one that was made. */
  before: number;
  after: number;
  cost: number;
  why: string;
  truth: string | null;
  /** What the best move would have done; nothing of a move that was as good. */
  best_events: GameEvent[];
}

export interface Draw {
  entry: number;
  seat: string;
  what: string;
  luck: number;
}

export interface SeatSum {
  seat: string;
  decisions: number;
  cost: number;
  sound: number;
  accuracy: number;
  luck: number;
  margin: number;
  adjusted: number;
}

export interface Found {
  game: string;
  evaluator: string;
  depth: number;
  graph: { entry: number; chances: number[] }[];
  decisions: Judged[];
  draws: Draw[];
  moments: number[];
  seats: SeatSum[];
}

export interface Looking {
  state: "none" | "waiting" | "working" | "done" | "failed";
  progress: number;
  review: Found | null;
  judge_before: string | null;
}

/** A move that costs less of the chance to win is called sound. */
export const SOUND = 0.02;

/** For each seat the field between its chance and those of the seats below it, as an SVG path: the whole
 * height is all chances together. */
export function fields(graph: Found["graph"], width: number, height: number): string[] {
  const seats = graph[0]?.chances.length ?? 0;
  const step = width / Math.max(graph.length - 1, 1);
  const round = (n: number) => Math.round(n * 10) / 10;
  /** How high the first so many seats reach together. */
  const under = (place: number, count: number) => {
    const sum = (graph[place]?.chances ?? []).slice(0, count).reduce((all, one) => all + one, 0);
    return `${round(place * step)} ${round(height * (1 - sum))}`;
  };
  const places = graph.map((_, place) => place);
  return Array.from({ length: seats }, (_, seat) => {
    const above = places.map((place) => under(place, seat + 1));
    const below = places.map((place) => under(place, seat)).reverse();
    return `M${[...above, ...below].join("L")}Z`;
  });
}

/** The place on the graph that is nearest to this share of its width. */
export function nearest(graph: Found["graph"], share: number): number {
  const place = Math.round(Math.min(Math.max(share, 0), 1) * (graph.length - 1));
  return graph[place]?.entry ?? 0;
}
