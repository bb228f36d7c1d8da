/** Floors in words: one square for who moves over them by keys, and the whole table as text. */
import type { DeckSight } from "../../game";
import type { Plan, Tile } from "./plan";
import {
  FLOORS,
  formatSquare,
  isSame,
  isSeat,
  SEATS,
  type FarmView,
  type FloorName,
  type Kind,
  type Result,
  type Square,
} from "./view";
import { deptName, floorName, kindName, say, signed, why } from "../words";

const SIDES = ["N", "E", "S", "W"];
const PLAIN: ReadonlySet<Kind> = new Set<Kind>(["floor", "filled", "cube"]);

export function tellSquare(plan: Plan, ordered: readonly Tile[], square: Square, isFree: boolean): string {
  const laid = plan.tiles.find((tile) => isSame(tile, square));
  const tile = laid ?? ordered.find((one) => isSame(one, square));
  const words: string[] = [];
  if (!tile) words.push(say("square.uncovered"));
  else {
    if (tile.employee) words.push(say("square.of", { seat: deptName(tile.employee) }));
    else words.push(isFree ? say("square.free") : kindTold(tile.kind, tile.worth));
    if (!laid) words.push(say("square.ordered"));
    const sides = SIDES.filter((_, side) => tile.walls & (1 << side)).join(" ");
    if (sides) words.push(say("square.walls", { sides }));
  }
  return say("said.square", { square: formatSquare(square), what: words.join(", ") });
}

/** What stands on a square, with what it is worth. */
function kindTold(kind: Kind, worth: number): string {
  return worth ? `${kindName(kind)} ${signed(worth)}` : kindName(kind);
}

/** What became of one part of an order. */
export function tellResult(result: Result, view: FarmView): string {
  const params = { card: result.card ?? "", square: result.square };
  if (result.code === undefined) return say(`report.${result.part}`, params);
  const told = say(`report.lost-${result.part}`, { ...params, why: why(result.code, { ...result }) });
  return result.part === "card" && view.house["spend-lost"] === "yes" ? `${told}; ${say("report.spent")}` : told;
}

/** The whole table as lines of text, the most important first. */
export function describe(view: FarmView, deck: DeckSight): string {
  const lines = [view.over ? say("status.over") : say("status.turn", { turn: view.turn })];
  for (const seat of SEATS) {
    lines.push(say("text.points", { seat: deptName(seat), points: view.points[seat], n: view.hands[seat].length }));
  }
  if (isSeat(view.viewer)) {
    const cards = view.hands[view.viewer].map((card) => say("text.card", { card, title: deck.cards[card]?.title ?? "" }));
    lines.push(say("text.hand", { cards: cards.join(", ") }));
  }
  if (view.spent.length) lines.push(say("text.spent", { cards: view.spent.join(", ") }));
  for (const floor of FLOORS) lines.push(...describeFloor(view, floor));
  return lines.join("\n");
}

function describeFloor(view: FarmView, name: FloorName): string[] {
  const floor = view.floors[name];
  const lines = [say("text.floor", { floor: floorName(name), seat: deptName(floor.home) })];
  for (const { seat, square, total } of floor.employees) {
    lines.push(say("text.employee", { seat: deptName(seat), square, points: total }));
  }
  const free = floor.squares.filter((item) => item.kind === "cube" && !item.employee && item.cube === item.square);
  if (free.length) lines.push(say("text.free", { squares: free.map((item) => item.square).join(" ") }));
  const kinds = new Set(floor.squares.map((item) => item.kind).filter((kind) => !PLAIN.has(kind)));
  for (const kind of kinds) {
    const items = floor.squares.filter((item) => item.kind === kind);
    const what = kindTold(kind, items[0]?.worth ?? 0);
    lines.push(say("text.bonus", { what, squares: items.map((item) => item.square).join(" ") }));
  }
  return lines;
}
