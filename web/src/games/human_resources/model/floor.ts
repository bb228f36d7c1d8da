/** Squares and where they lie: geometry for drawing, no rules. East and south count up, as on a screen. */
import type { Cubicle } from "./view";

export interface Place {
  x: number;
  y: number;
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function parseSquare(name: string): Place {
  if (name === "0") return { x: 0, y: 0 };
  const found = /^(?:([EW])(\d+))?(?:([NS])(\d+))?$/.exec(name);
  if (found === null || name === "") throw new Error(`${name} is not a square`);
  return {
    x: Number(found[2] ?? 0) * (found[1] === "W" ? -1 : 1) || 0,
    y: Number(found[4] ?? 0) * (found[3] === "N" ? -1 : 1) || 0,
  };
}

export function formatSquare({ x, y }: Place): string {
  const east = x === 0 ? "" : x > 0 ? `E${x}` : `W${-x}`;
  const south = y === 0 ? "" : y > 0 ? `S${y}` : `N${-y}`;
  return east + south || "0";
}

export function shifted(name: string, direction: string, distance: number): string {
  const { x, y } = parseSquare(name);
  const step = DIRECTIONS[direction] ?? { x: 0, y: 0 };
  return formatSquare({ x: x + step.x * distance, y: y + step.y * distance });
}

export const DIRECTIONS: Record<string, Place> = {
  north: { x: 0, y: -1 },
  east: { x: 1, y: 0 },
  south: { x: 0, y: 1 },
  west: { x: -1, y: 0 },
};

/** The smallest box around these squares, in squares; `right` and `bottom` are outside. */
export function boxAround(squares: string[]): Box {
  const places = squares.map(parseSquare);
  const xs = places.map((place) => place.x);
  const ys = places.map((place) => place.y);
  return {
    left: Math.min(...xs),
    top: Math.min(...ys),
    right: Math.max(...xs) + 1,
    bottom: Math.max(...ys) + 1,
  };
}

export function grown(box: Box, by: number): Box {
  return { left: box.left - by, top: box.top - by, right: box.right + by, bottom: box.bottom + by };
}

export type Change = "new" | "gone" | "turned";

/** What differs between two offices: squares that came, went, or have the other colour now. */
export function changes(before: Cubicle[], after: Cubicle[]): Map<string, Change> {
  const was = new Map(before.map((cubicle) => [cubicle.square, cubicle]));
  const found = new Map<string, Change>();
  for (const cubicle of after) {
    const old = was.get(cubicle.square);
    was.delete(cubicle.square);
    if (old === undefined) found.set(cubicle.square, "new");
    else if (old.colour !== cubicle.colour) found.set(cubicle.square, "turned");
  }
  for (const square of was.keys()) found.set(square, "gone");
  return found;
}

/** The outline of a set of squares as an SVG path, each square `size` wide: every side that has no
 * neighbour in the set. */
export function outline(squares: string[], size: number): string {
  const inside = new Set(squares);
  const parts: string[] = [];
  for (const name of squares) {
    const { x, y } = parseSquare(name);
    const [left, top, right, bottom] = [x * size, y * size, (x + 1) * size, (y + 1) * size];
    if (!inside.has(formatSquare({ x, y: y - 1 }))) parts.push(`M${left} ${top}H${right}`);
    if (!inside.has(formatSquare({ x, y: y + 1 }))) parts.push(`M${left} ${bottom}H${right}`);
    if (!inside.has(formatSquare({ x: x - 1, y }))) parts.push(`M${left} ${top}V${bottom}`);
    if (!inside.has(formatSquare({ x: x + 1, y }))) parts.push(`M${right} ${top}V${bottom}`);
  }
  return parts.join("");
}
