/** What is drawn over a floor: cards not laid yet, walks, squares that stand out. */
import type { Box, Tile } from "../model/plan";
import type { EmployeeScore, Seat, Square } from "../model/view";
import { parseSquare } from "../model/view";

export interface GhostCard {
  tiles: Tile[];
  box: Box;
  /** `laid` has just been placed; `lost` does not fit, or was lost. */
  look: "fits" | "lost" | "unknown" | "laid";
  /** What happened to it is stamped on it. */
  stamp?: boolean;
}

export interface Walk {
  squares: Square[];
  look: "way" | "bonus" | "penalty" | "extra";
  label: string;
}

export interface Overlay {
  ghosts: GhostCard[];
  tokens: (Square & { seat: Seat; look: "ordered" | "lost" | "laid" })[];
  walks: Walk[];
  /** Cubes that can be taken, by one square of each. */
  free: Square[];
  marks: Square[];
  /** Where cards were laid in the turn before this one. */
  recent: Box[];
  /** The squares from which something can be reached. */
  reach: Square[];
}

export const NOTHING: Overlay = { ghosts: [], tokens: [], walks: [], free: [], marks: [], recent: [], reach: [] };

/** The walks of a score; a bonus and its extra go the same way and are drawn once. */
export function walksOf(score: EmployeeScore | null, signed: (points: number) => string): Walk[] {
  if (!score) return [];
  const walks: Walk[] = [];
  if (score.way.length) walks.push({ squares: score.way.map(parseSquare), look: "way", label: "" });
  for (const target of new Set(score.parts.map((part) => part.square))) walks.push(...walksTo(target, [score], signed));
  return walks;
}

/** Everybody's walks to one square. */
export function walksTo(target: string, scores: readonly EmployeeScore[], signed: (points: number) => string): Walk[] {
  return scores.flatMap((score) => {
    const parts = score.parts.filter((part) => part.square === target);
    const first = parts[0];
    if (!first) return [];
    const points = parts.reduce((sum, part) => sum + part.points, 0);
    return [{ squares: first.walk.map(parseSquare), look: parts.length > 1 ? "extra" : first.kind, label: signed(points) }];
  });
}
