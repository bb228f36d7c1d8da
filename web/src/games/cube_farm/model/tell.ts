/** Floors in words: one square for who moves over them by keys, and the whole table as text. */
import type { DeckSight, GameEvent, Telling } from "../../game";
import { told as shared } from "./told.svelte";
import { byNames, cubeAround, isCube, type Tile } from "./plan";
import {
  FLOORS,
  formatSquare,
  isSame,
  isSeat,
  SEATS,
  TURNS,
  type EmployeeScore,
  type FarmView,
  type FloorName,
  type Kind,
  type Part,
  type Result,
  type Seat,
  type Square,
} from "./view";
import { deptName, floorName, kindName, say, signed, why } from "../words";

const SIDES = ["N", "E", "S", "W"];
const PLAIN: ReadonlySet<Kind> = new Set<Kind>(["floor", "filled", "cube"]);
/** CF-6.5: what the nearest employee gets on top, away from home. */
const EXTRAS: Partial<Record<Kind, number>> = { shredder: 1, photocopier: 1, "fax-machine": 2, "laser-printer": 2 };

/** What somebody points at on a floor. */
export interface Pointed {
  square: Square;
  /** The floor as it is drawn, a card ordered for it included. */
  tiles: readonly Tile[];
  /** The squares of that card. */
  ordered: readonly Tile[];
  /** Who scores what there; nothing where that is not known. */
  scores: readonly EmployeeScore[];
  /** One square of each cube that can be taken now; `null` if nobody is asked. */
  free: readonly string[] | null;
  /** What taking the cube would bring, if that is known. */
  gain: number | null;
}

/** A thing on a floor by its name, and what is to be known of it. */
export interface Sign {
  square: string;
  title: string;
  facts: string[];
}

export function signOf({ square, tiles, ordered, scores, free, gain }: Pointed): Sign {
  const name = formatSquare(square);
  const byName = byNames(tiles);
  const tile = byName.get(name);
  if (!tile) return { square: name, title: say("look.uncovered"), facts: [] };
  const facts: string[] = [];
  const title = isCube(tile.kind) ? cubeTold() : thingTold(tile);
  if (ordered.some((one) => isSame(one, square))) facts.push(say("look.ordered"));
  return { square: name, title, facts };

  function thingTold(tile: Tile): string {
    if (tile.kind === "elevator" || tile.kind === "filled" || tile.kind === "floor") return say(`look.${tile.kind}`);
    const extra = EXTRAS[tile.kind];
    if (extra !== undefined) facts.push(say("look.extra", { points: signed(extra) }));
    facts.push(getsFrom(name));
    return say("look.bonus", { what: kindName(tile.kind), points: signed(tile.worth), n: tile.worth });
  }

  function cubeTold(): string {
    const cube = cubeAround(byName, name);
    const bosses = cube.filter((one) => one.worth < 0);
    if (bosses.length) {
      const told = bosses.map((boss) => {
        facts.push(getsFrom(formatSquare(boss)));
        return say(`look.${boss.kind === "vp" ? "vp" : "receptionist"}`, {
          what: kindName(boss.kind),
          points: signed(boss.worth),
          n: -boss.worth,
        });
      });
      return told.join("; ");
    }
    const score = scores.find((one) => cube.some((square) => one.cube.includes(formatSquare(square))));
    if (score) {
      facts.push(say("look.room", { points: signed(score.base), n: score.base }), ...score.parts.map(partTold));
      facts.push(score.way.length ? say("look.away", { n: stepsOnWay(score) }) : say("look.cut-off"));
      return say("look.cube-of", { seat: deptName(score.seat), points: score.total });
    }
    const owner = cube.find((one) => one.employee !== null)?.employee;
    if (owner) return say("square.of", { seat: deptName(owner) });
    if (free !== null) {
      const isFree = cube.some((one) => free.includes(formatSquare(one)));
      facts.push(isFree ? say("look.free") : say("look.no-walk"));
      if (isFree && gain !== null) facts.push(say("look.brings", { points: signed(gain) }));
    }
    return say("look.cube", { n: cube.length });
  }

  /** Who gets what from a square. */
  function getsFrom(target: string): string {
    const told = scores.flatMap((score) => {
      const parts = score.parts.filter((part) => part.square === target);
      const points = parts.reduce((sum, part) => sum + part.points, 0);
      const first = parts[0];
      return first ? [say("look.gets", { seat: deptName(score.seat), square: score.square, points: signed(points), n: first.steps })] : [];
    });
    return told.join(", ") || say("look.nobody");
  }
}

/** Steps are counted in one way: onto the square where the walk ends, as to a bonus. */
export function stepsOnWay(score: EmployeeScore): number {
  return Math.max(0, score.way.length - 1);
}

/** A part of a score, with its steps. */
function partTold(part: Part): string {
  const params = { points: signed(part.points), what: kindName(part.what), n: part.steps };
  return say(part.kind === "extra" ? "look.nearest" : "look.part", params);
}

/** The same for who moves over the floor by keys: the square first, its walls too. */
export function tellSign(sign: Sign, tile: Tile | undefined): string {
  const sides = tile ? SIDES.filter((_, side) => tile.walls & (1 << side)).join(" ") : "";
  const words = [sign.title, ...sign.facts, ...(sides ? [say("look.walls", { sides })] : [])];
  return say("said.square", { square: sign.square, what: words.join(", ") });
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

/** A turn for the log, in short: who placed what, and what was lost and why. All of it is in the report. */
export function tellTurn({ seats }: Telling, events: GameEvent[]): string {
  const nameOf = (seat: Seat) => seats.find((one) => one.seat === seat)?.name || deptName(seat);
  const ended = turnEnded(events);
  if (ended !== null && shared.hiddenFrom !== null && ended >= shared.hiddenFrom) return `${say("report.happened", { turn: ended })}.`;
  const told: string[] = [];
  for (const seat of SEATS) {
    const own = events.filter((event) => event.params["seat"] === seat);
    const with_ = (code: string) => own.filter((event) => event.code === code);
    const cards = with_("placed-card").map((event) => String(event.params["card"]));
    const employees = with_("employed").length;
    const what = [
      ...(cards.length ? [say("log.cards", { cards: cards.join(", "), n: cards.length })] : []),
      ...(employees ? [say("log.employees", { n: employees })] : []),
    ];
    if (what.length) told.push(say("log.placed", { name: nameOf(seat), what: what.join(", ") }));
    if (with_("no-orders").length) told.push(say("log.no-orders", { name: nameOf(seat) }));
    for (const { code, params } of own.filter((event) => event.code === "lost-card" || event.code === "lost-employee")) {
      const lost = say(code === "lost-card" ? "log.lost-card" : "log.lost-employee", { card: String(params["card"] ?? ""), square: String(params["square"]) });
      told.push(say("log.lost", { name: nameOf(seat), what: lost, why: why(String(params["reason"]), params) }));
    }
  }
  for (const { code, params } of events) {
    if (code === "turn") told.push(say("log.turn", { turn: Number(params["turn"]) }));
    if (code === "scored") told.push(say("log.over"));
  }
  return told.length ? `${told.join(". ")}.` : "";
}

/** The turn that these events carried out, if they did. */
function turnEnded(events: GameEvent[]): number | null {
  const next = events.find((event) => event.code === "turn");
  if (next) return Number(next.params["turn"]) - 1;
  return events.some((event) => event.code === "scored") ? TURNS : null;
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
