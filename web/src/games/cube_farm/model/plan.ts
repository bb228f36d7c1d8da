/** Geometry for drawing: cards turned and laid, floors as tiles, and floors as they were before. */
import type { CardSight, DeckSight } from "../../game";
import {
  FLOORS,
  formatSquare,
  isSame,
  parseSquare,
  SEATS,
  type EmployeeScore,
  type FarmView,
  type FloorName,
  type Kind,
  type Result,
  type Seat,
  type Square,
} from "./view";

/** A square as it is drawn; `walls` has a bit for each side of NESW. */
export interface Tile extends Square {
  kind: Kind;
  /** What it gives or takes; 0 if neither. */
  worth: number;
  walls: number;
  employee: Seat | null;
}

export interface Face {
  width: number;
  height: number;
  tiles: Tile[];
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Token extends Square {
  seat: Seat;
}

/** All that is drawn of a floor. */
export interface Plan {
  tiles: Tile[];
  /** Where the cards lie, to show their edges. */
  cards: (Box & { card: string })[];
  employees: Token[];
}

const LETTERS: Record<string, Kind> = {
  ".": "floor",
  ",": "filled",
  E: "elevator",
  "#": "cube",
  V: "vp",
  R: "receptionist",
  P: "photocopier",
  D: "shredder",
  L: "laser-printer",
  F: "fax-machine",
  C: "supply-cabinet",
  c: "coffee-machine",
  s: "soda-machine",
  y: "candy-machine",
  w: "water-cooler",
};
const STEPS: readonly Square[] = [
  { x: 0, y: -1 },
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
];
const CUBES: ReadonlySet<Kind> = new Set<Kind>(["cube", "vp", "receptionist"]);

export function isCube(kind: Kind): boolean {
  return CUBES.has(kind);
}

/** What is read of a card. */
export type Drawing = Pick<CardSight, "drawing" | "worths">;
const BLANK: Drawing = { drawing: [], worths: {} };

/** A card as it is printed: 2h+1 rows of 2w+1 characters, squares between their edges. */
export function readFace({ drawing: rows, worths }: Drawing): Face {
  const width = Math.floor(Math.max(0, ...rows.map((row) => row.length)) / 2);
  const height = Math.floor(rows.length / 2);
  const tiles: Tile[] = [];
  const at = (row: number, column: number) => rows[row]?.[column] ?? " ";
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [row, column] = [2 * y + 1, 2 * x + 1];
      const around = [at(row - 1, column), at(row, column + 1), at(row + 1, column), at(row, column - 1)];
      const walls = around.reduce((bits, edge, side) => (edge === " " ? bits : bits | (1 << side)), 0);
      const letter = at(row, column);
      tiles.push({ x, y, kind: LETTERS[letter] ?? "floor", worth: worths[letter] ?? 0, walls, employee: null });
    }
  }
  return { width, height, tiles };
}

/** The face after so many quarter turns clockwise. */
export function turnFace(face: Face, turns: number): Face {
  let turned = face;
  for (let turn = 0; turn < turns % 4; turn += 1) {
    const { width, height, tiles } = turned;
    turned = {
      width: height,
      height: width,
      tiles: tiles.map((tile) => ({
        ...tile,
        x: height - 1 - tile.y,
        y: tile.x,
        walls: ((tile.walls << 1) | (tile.walls >> 3)) & 15,
      })),
    };
  }
  return turned;
}

/** The tiles of a card that lies with its north-west square here. */
export function layCard(deck: DeckSight, card: string, square: Square, turn: number): Tile[] {
  const face = turnFace(readFace(deck.cards[card] ?? BLANK), turn);
  return face.tiles.map((tile) => ({ ...tile, x: tile.x + square.x, y: tile.y + square.y }));
}

export function sizeOf(deck: DeckSight, card: string, turn: number): { width: number; height: number } {
  const face = readFace(deck.cards[card] ?? BLANK);
  return turn % 2 ? { width: face.height, height: face.width } : { width: face.width, height: face.height };
}

export function boxOf(squares: readonly Square[]): Box {
  const xs = squares.map((square) => square.x);
  const ys = squares.map((square) => square.y);
  return squares.length
    ? { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
    : { left: 0, top: 0, right: 0, bottom: 0 };
}

export function joinBoxes(a: Box, b: Box): Box {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}

/** The place of a square among the tiles of a card that lies here; it stays the same however the card is
 * moved or turned. */
export function seatOn(deck: DeckSight, card: string, at: Square, turn: number, square: Square): number | null {
  const place = layCard(deck, card, at, turn).findIndex((tile) => isSame(tile, square));
  return place < 0 ? null : place;
}

/** Where a card would lie on uncovered squares and touch something: a guess for the eye until the server
 * has said where it truly fits. */
export function guessPlaces(tiles: readonly Square[], { width, height }: { width: number; height: number }): Square[] {
  const covered = new Set(tiles.map(formatSquare));
  const box = boxOf(tiles);
  const found: Square[] = [];
  for (let y = box.top - height; y <= box.bottom + 1; y += 1) {
    for (let x = box.left - width; x <= box.right + 1; x += 1) {
      const own = Array.from({ length: width * height }, (_, n) => ({ x: x + (n % width), y: y + Math.floor(n / width) }));
      const isOver = own.some((square) => covered.has(formatSquare(square)));
      const touches = () => own.some((square) => STEPS.some((step) => covered.has(formatSquare({ x: square.x + step.x, y: square.y + step.y }))));
      if (!isOver && touches()) found.push({ x, y });
    }
  }
  return found;
}

/** A floor with a card over it: walls on either side of an edge are walls of both (CF-4.2). */
export function withCard(tiles: readonly Tile[], card: readonly Tile[]): Tile[] {
  const own = new Set(card.map(formatSquare));
  const both = [...tiles.filter((tile) => !own.has(formatSquare(tile))), ...card].map((tile) => ({ ...tile }));
  shareWalls(both);
  return both;
}

function shareWalls(tiles: readonly Tile[]): void {
  const byName = byNames(tiles);
  for (const tile of tiles) {
    STEPS.forEach((step, side) => {
      const other = byName.get(formatSquare({ x: tile.x + step.x, y: tile.y + step.y }));
      if (other && other.walls & (1 << ((side + 2) % 4))) tile.walls |= 1 << side;
    });
  }
}

export function byNames(tiles: readonly Tile[]): Map<string, Tile> {
  return new Map(tiles.map((tile) => [formatSquare(tile), tile]));
}

/** The square of each empty cube on which its desk is drawn: one desk in a joint cube too, none where
 * somebody is. */
export function desksOf(tiles: readonly Tile[]): Set<string> {
  const byName = byNames(tiles);
  const seen = new Set<string>();
  const desks = new Set<string>();
  for (const tile of [...tiles].sort((a, b) => a.y - b.y || a.x - b.x)) {
    const name = formatSquare(tile);
    if (!isCube(tile.kind) || seen.has(name)) continue;
    const cube = cubeAround(byName, name);
    for (const one of cube) seen.add(formatSquare(one));
    if (cube.every((one) => one.kind === "cube" && one.employee === null)) desks.add(name);
  }
  return desks;
}

/** Where somebody who takes the cube of a square is drawn: on its first square. */
export function seatOfCube(tiles: readonly Tile[], square: Square): Square {
  const [first] = cubeAround(byNames(tiles), formatSquare(square)).sort((a, b) => a.y - b.y || a.x - b.x);
  return first ? { x: first.x, y: first.y } : square;
}

/** The squares from which it is at most so many steps onto this one, walked as in CF-5.2: not across a
 * wall, nor through a cube or an elevator. A cube that is reached is part of it as a whole. */
export function reachOf(tiles: readonly Tile[], square: Square, steps: number): Square[] {
  const byName = byNames(tiles);
  const start = byName.get(formatSquare(square));
  if (!start) return [];
  const walks = (tile: Tile) => !isCube(tile.kind) && tile.kind !== "elevator";
  const starts = isCube(start.kind) ? cubeAround(byName, formatSquare(start)) : [start];
  const near = new Map(starts.map((tile) => [formatSquare(tile), 0]));
  const line = [...starts];
  for (const tile of line) {
    const far = near.get(formatSquare(tile)) ?? 0;
    // Nobody walks on through somebody's cube or an elevator.
    if (far === steps || (far > 0 && !walks(tile))) continue;
    STEPS.forEach((step, side) => {
      const other = byName.get(formatSquare({ x: tile.x + step.x, y: tile.y + step.y }));
      if (!other || tile.walls & (1 << side) || other.kind === "elevator") return;
      const whole = isCube(other.kind) ? cubeAround(byName, formatSquare(other)) : [other];
      for (const one of whole) {
        if (near.has(formatSquare(one))) continue;
        near.set(formatSquare(one), far + 1);
        line.push(one);
      }
    });
  }
  return [...near.keys()].map(parseSquare);
}

/** A floor as the view has it. */
export function planOf(view: FarmView, floor: FloorName, deck: DeckSight): Plan {
  const sight = view.floors[floor];
  const tiles = sight.squares.map((item) => ({
    ...parseSquare(item.square),
    kind: item.kind,
    worth: item.worth ?? 0,
    walls: bitsOf(item.walls),
    employee: item.employee ?? null,
  }));
  return {
    tiles,
    cards: sight.cards.map((placed) => ({
      card: placed.card,
      ...boxOf(layCard(deck, placed.card, parseSquare(placed.square), placed.turn)),
    })),
    employees: sight.employees.map((employee) => ({ seat: employee.seat, ...deskOf(employee) })),
  };
}

function bitsOf(walls: string): number {
  return ["N", "E", "S", "W"].reduce((bits, side, place) => (walls.includes(side) ? bits | (1 << place) : bits), 0);
}

/** Where an employee is drawn: on the first square of the cube. */
export function deskOf(employee: EmployeeScore): Square {
  return parseSquare(employee.cube[0] ?? employee.square);
}

/** One department's doings in one phase of a turn played back. */
export interface PlayedStep {
  seat: Seat;
  phase: number;
  floor: FloorName;
  results: Result[];
}

export function stepsOf(results: readonly Result[]): PlayedStep[] {
  const steps: PlayedStep[] = [];
  for (const result of results) {
    const last = steps.at(-1);
    if (last && last.seat === result.seat && last.phase === result.phase) last.results.push(result);
    else steps.push({ seat: result.seat, phase: result.phase, floor: result.floor, results: [result] });
  }
  return steps;
}

/** Each department's points when so many steps of a turn had been shown. */
export function pointsBefore(view: FarmView, turn: number, steps: number): Record<Seat, number> {
  const played = view.history[turn];
  if (!played) return view.points;
  const done = stepsOf(played.results).slice(0, steps);
  const points: Record<Seat, number> = { S: 0, P: 0, T: 0 };
  for (const floor of FLOORS) {
    // A floor sees one department in each phase, so the last one shown is as far as it has come.
    const phase = Math.max(0, ...done.filter((step) => step.floor === floor).map((step) => step.phase));
    for (const seat of SEATS) points[seat] += played.points[floor][phase]?.[seat] ?? 0;
  }
  return points;
}

/** Each department's points after each turn that was carried out, those before the first one first. */
export function raceOf(view: FarmView): Record<Seat, number>[] {
  const sum = (turn: number, phase: number) =>
    Object.fromEntries(
      SEATS.map((seat) => [seat, FLOORS.reduce((total, floor) => total + (view.history[turn]?.points[floor][phase]?.[seat] ?? 0), 0)]),
    ) as Record<Seat, number>;
  return view.history.length ? [sum(0, 0), ...view.history.map((_, turn) => sum(turn, 3))] : [];
}

/** A floor as it was in the turn with this place in the history, after so many of its steps: what came
 * later is taken away again. */
export function planBefore(view: FarmView, floor: FloorName, deck: DeckSight, turn: number, steps: number): Plan {
  const later = [
    ...stepsOf(view.history[turn]?.results ?? []).slice(steps),
    ...view.history.slice(turn + 1).flatMap((after) => stepsOf(after.results)),
  ]
    .flatMap((step) => step.results)
    .filter((result) => result.floor === floor && result.code === undefined);
  const laidLater = new Set(later.map((result) => result.card));
  const filledLater = new Set(later.flatMap((result) => result.filled ?? []));
  const employedLater = new Set(later.filter((result) => result.part === "employee").map((result) => result.square));

  const sight = view.floors[floor];
  const cards = sight.cards.filter((placed) => !laidLater.has(placed.card));
  const brought = new Map<string, Tile>();
  const gone = new Set<string>();
  for (const placed of sight.cards) {
    for (const tile of layCard(deck, placed.card, parseSquare(placed.square), placed.turn)) {
      if (laidLater.has(placed.card)) gone.add(formatSquare(tile));
      else brought.set(formatSquare(tile), tile);
    }
  }
  const tiles = sight.squares
    .filter((item) => !gone.has(item.square) && !(item.kind === "filled" && filledLater.has(item.square)))
    .map((item): Tile => {
      const own = brought.get(item.square);
      return {
        ...parseSquare(item.square),
        kind: item.kind,
        worth: item.worth ?? 0,
        walls: own ? own.walls : item.kind === "filled" ? 0 : bitsOf(item.walls),
        employee: null,
      };
    });
  const byName = byNames(tiles);
  shareWalls(tiles);
  const employees: Token[] = [];
  for (const employee of sight.employees) {
    if (employedLater.has(employee.square)) continue;
    const cube = cubeAround(byName, employee.square);
    for (const tile of cube) tile.employee = employee.seat;
    const first = [...cube].sort((a, b) => a.y - b.y || a.x - b.x)[0];
    if (first) employees.push({ seat: employee.seat, x: first.x, y: first.y });
  }
  return {
    tiles,
    cards: cards.map((placed) => ({
      card: placed.card,
      ...boxOf(layCard(deck, placed.card, parseSquare(placed.square), placed.turn)),
    })),
    employees,
  };
}

/** The cube squares that can be reached from one of them without crossing a wall. */
export function cubeAround(tiles: ReadonlyMap<string, Tile>, name: string): Tile[] {
  const start = tiles.get(name);
  if (!start || !isCube(start.kind)) return [];
  const found = [start];
  const seen = new Set([name]);
  for (const tile of found) {
    STEPS.forEach((step, side) => {
      const other = tiles.get(formatSquare({ x: tile.x + step.x, y: tile.y + step.y }));
      if (!other || tile.walls & (1 << side) || !isCube(other.kind) || seen.has(formatSquare(other))) return;
      seen.add(formatSquare(other));
      found.push(other);
    });
  }
  return found;
}
