import { expect, test } from "vitest";
import type { DeckSight, News, Scored } from "$/games/game";
import { reader } from "$/words";
import { botIn, calledInList, calledOf, linesOf, movesOf, turnsOf } from "./characters";

const deck = { name: "", title: "", hash: "", cards: {} } as DeckSight;
const seats = [
  { seat: "A", kind: "person", name: "Ann" },
  { seat: "B", kind: "bot", name: "clerk (bot)" },
];
/** An entry in which a seat scores so many points; for 0 nobody does. */
const entry = (number: number, mover: string, points = 0): News => ({
  number,
  text: `${number}. ${mover} place`,
  events: points === 0 ? [] : [{ code: "scored", clause: "", params: { seat: mover, points }, text: "" }],
});
const scores = (_: DeckSight, events: News["events"]): Scored[] =>
  events.map((event) => ({ seat: String(event.params["seat"]), points: Number(event.params["points"]), what: "" }));

test("a bot has a name of its own, and two alike are told apart", () => {
  expect(botIn(seats[0]!)).toBe(null);
  expect(botIn(seats[1]!)).toBe("clerk");
  expect(calledOf(seats[1]!, seats)).toBe("Clerk");
  expect(calledOf(seats[0]!, seats)).toBe("Ann");
  const twins = [seats[1]!, { ...seats[1]!, seat: "C" }];
  expect(twins.map((one) => calledOf(one, twins))).toEqual(["Clerk B", "Clerk C"]);
  expect(calledOf({ seat: "B", kind: "bot", name: "house-special (bot)" }, seats)).toBe("house-special (bot)");
});

test("a list calls bots and guests without a name as the table does", () => {
  const table = { seats: ["A", "B", "C"], names: ["Guest", "clerk (bot)", "Ann"] };
  expect(calledInList(table)).toEqual(["Guest", "Clerk", "Ann"]);
  reader.language = "de";
  expect(calledInList(table)).toEqual(["Gast", "Sachbearbeiter", "Ann"]);
  expect(calledInList({ ...table, names: ["Guest 2", "Gastón", ""] })).toEqual(["Gast 2", "Gastón", ""]);
  expect(calledInList({ ...table, names: ["Guest", "Gast", ""] })).toEqual(["Gast A", "Gast", ""]);
  reader.language = "en";
});

test("never more than one line in three moves", () => {
  const entries = Array.from({ length: 40 }, (_, i) => entry(i + 1, i % 2 === 0 ? "A" : "B", 5));
  const lines = linesOf({ seats, moments: movesOf(deck, entries, scores), winners: null });
  expect(lines.length).toBeGreaterThan(5);
  for (const [place, line] of lines.entries()) if (place > 0) expect(line.number - lines[place - 1]!.number).toBeGreaterThanOrEqual(3);
  const over = linesOf({ seats, moments: movesOf(deck, entries, scores), winners: ["A"] });
  expect(over.at(-1)?.number).toBe(40);
  expect(over.at(-1)!.number - over.at(-2)!.number).toBeGreaterThanOrEqual(3);
});

test("nothing is said of what nobody saw, and the same is said after a reload", () => {
  const quiet = [entry(1, "A"), entry(2, "B"), entry(3, "A")];
  expect(linesOf({ seats, moments: movesOf(deck, quiet, scores), winners: null })).toEqual([]);
  const loud = [...quiet, entry(4, "B", 3)];
  const once = linesOf({ seats, moments: movesOf(deck, loud, scores), winners: null });
  expect(once).toHaveLength(1);
  expect(linesOf({ seats, moments: movesOf(deck, loud, scores), winners: null })).toEqual(once);
  expect(linesOf({ seats: [seats[0]!], moments: movesOf(deck, loud, scores), winners: null })).toEqual([]);
});

test("where orders are sealed, a turn's best gain is what they speak of", () => {
  const race = { A: [0, 2, 12, 12], B: [0, 7, 8, 8] };
  const moments = turnsOf({ race, scored: {}, best: null });
  expect(moments.map(({ number, scored }) => [number, scored[0]?.seat, scored[0]?.points])).toEqual([
    [1, "B", 7],
    [2, "A", 10],
  ]);
  const lines = linesOf({ seats, moments, winners: null, silence: 1 });
  expect(lines.map((line) => [line.seat, line.number])).toEqual([
    ["B", 1],
    ["B", 2],
  ]);
  expect(linesOf({ seats, moments: turnsOf({ race: { A: [0], B: [0] }, scored: {}, best: null }), winners: null })).toEqual([]);
});
