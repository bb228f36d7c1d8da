/** The view of PBM Cube Farm as the server sends it (games/cube_farm/view.py), and squares by name. */

export type Seat = "S" | "P" | "T";
export type FloorName = "top" | "middle" | "basement";
export const SEATS: readonly Seat[] = ["S", "P", "T"];
export const FLOORS: readonly FloorName[] = ["top", "middle", "basement"];

export type Kind =
  | "floor"
  | "filled"
  | "elevator"
  | "cube"
  | "vp"
  | "receptionist"
  | "photocopier"
  | "shredder"
  | "laser-printer"
  | "fax-machine"
  | "supply-cabinet"
  | "coffee-machine"
  | "soda-machine"
  | "candy-machine"
  | "water-cooler";

export interface SquareSight {
  square: string;
  kind: Kind;
  /** What it gives or takes, if anything (CF-6.6). */
  worth?: number;
  /** Sides with a wall, of NESW. */
  walls: string;
  /** The first square of the cube, if it is part of one. */
  cube?: string;
  employee?: Seat;
}

/** One bonus, penalty or extra; `walk` leads from the cube to it, both ends included. */
export interface Part {
  kind: "bonus" | "penalty" | "extra";
  what: Kind;
  square: string;
  points: number;
  steps: number;
  walk: string[];
  clause: string;
  compared: { seat: Seat; square: string; steps: number }[];
}

export interface EmployeeScore {
  seat: Seat;
  square: string;
  cube: string[];
  /** A walk to an elevator, empty if it was cut off. */
  way: string[];
  total: number;
  base: number;
  parts: Part[];
}

export interface PlacedCard {
  card: string;
  square: string;
  turn: number;
}

export interface FloorSight {
  home: Seat;
  /** In which phase each department places something here. */
  phases: Record<Seat, number>;
  cards: PlacedCard[];
  squares: SquareSight[];
  employees: EmployeeScore[];
}

/** What became of one part of an order; with a code if it was lost. */
export interface Result {
  seat: Seat;
  phase: number;
  floor: FloorName;
  part: "card" | "employee";
  square: string;
  card?: string;
  turn?: number;
  filled?: string[];
  code?: string;
  clause?: string;
  at?: string[];
  by?: Seat | "";
}

export interface TurnSight {
  turn: number;
  orders: Record<Seat, string | null>;
  results: Result[];
  /** Each floor's points: before the turn, and after each of its phases. */
  points: Record<FloorName, Record<Seat, number>[]>;
}

export interface FarmView {
  viewer: Seat | "spectator" | "all";
  turn: number;
  over: boolean;
  departments: Record<Seat, string>;
  floors: Record<FloorName, FloorSight>;
  /** `?` stands for a card that the viewer does not know. */
  hands: Record<Seat, string[]>;
  deck: { count: number; known: string[] };
  /** Lost cards that are out of the game, where the table says so (CF-3.4). */
  spent: string[];
  orders: Partial<Record<Seat, string>>;
  sent: Seat[];
  points: Record<Seat, number>;
  withdrawn: Seat[];
  house: Record<string, string>;
  history: TurnSight[];
}

export const TURNS = 5;
export const PHASES = 3;

/** `x` squares east and `y` squares south of the floor's first square. */
export interface Square {
  x: number;
  y: number;
}

export function parseSquare(name: string): Square {
  const found = /^(?:([EW])(\d+))?(?:([NS])(\d+))?$/.exec(name);
  const x = Number(found?.[2] ?? 0);
  const y = Number(found?.[4] ?? 0);
  return { x: found?.[1] === "W" && x ? -x : x, y: found?.[3] === "N" && y ? -y : y };
}

export function formatSquare({ x, y }: Square): string {
  const east = x ? `${x > 0 ? "E" : "W"}${Math.abs(x)}` : "";
  const south = y ? `${y > 0 ? "S" : "N"}${Math.abs(y)}` : "";
  return east + south || "0";
}

export function isSame(a: Square | null, b: Square | null): boolean {
  return a !== null && b !== null && a.x === b.x && a.y === b.y;
}

export function isSeat(name: string | null | undefined): name is Seat {
  return name === "S" || name === "P" || name === "T";
}

/** The floor on which a department places something in a phase (1 to 3). */
export function floorOf(view: FarmView, seat: Seat, phase: number): FloorName {
  return FLOORS.find((name) => view.floors[name].phases[seat] === phase) ?? "top";
}
