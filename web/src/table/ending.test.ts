import { expect, test } from "vitest";
import type { DeckSight, News, Scored } from "$/games/game";
import { courseOf, lineThrough } from "./ending";

const deck = { name: "", title: "", hash: "", cards: {} } as DeckSight;
const entry = (number: number, mover: string, ...scored: [string, number, string][]): News => ({
  number,
  text: `${number}. ${mover} place`,
  events: scored.map(([seat, points, what]) => ({ code: "scored", clause: "", params: { seat, points, what }, text: "" })),
});
const scores = (_: DeckSight, events: News["events"]): Scored[] =>
  events.map(({ params }) => ({ seat: String(params["seat"]), points: Number(params["points"]), what: String(params["what"]) }));

test("the race, who scored what, and the best move", () => {
  const entries = [entry(1, "A", ["A", 2, "Desk"]), entry(2, "B", ["B", 4, "Merger"], ["A", 9, "a gift"]), entry(3, "A", ["A", 3, "Stairs"], ["A", 2, "Tea"])];
  const course = courseOf(["A", "B"], deck, entries, scores);
  expect(course.race).toEqual({ A: [0, 2, 11, 16], B: [0, 0, 4, 4] });
  expect(course.scored["A"]?.map((one) => [one.number, one.what])).toEqual([[1, "Desk"], [2, "a gift"], [3, "Stairs"], [3, "Tea"]]);
  // What the other gave away is not one's own best move.
  expect(course.best).toEqual({ seat: "A", number: 3, points: 5, what: "Stairs, Tea" });
  expect(courseOf(["A"], deck, [entry(1, "A")], scores).best).toBe(null);
});

test("a line steps up where points came", () => {
  expect(lineThrough([0, 0, 4], 4, 100, 20)).toBe("M0 20H50V20H100V0");
  expect(lineThrough([0], 0, 100, 20)).toBe("M0 20");
});
