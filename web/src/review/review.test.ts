import { expect, test } from "vitest";
import { fields, nearest } from "./review";
import { catalogue } from "./words";

const graph = [
  { entry: 0, chances: [0.5, 0.5] },
  { entry: 1, chances: [0.25, 0.75] },
  { entry: 2, chances: [1, 0] },
];

test("fields of all seats together fill the whole height, one upon the other", () => {
  const [lower, upper] = fields(graph, 100, 40);
  expect(lower).toBe("M0 20L50 30L100 0L100 40L50 40L0 40Z");
  expect(upper).toBe("M0 0L50 0L100 0L100 0L50 30L0 20Z");
});

test("a touch finds the nearest move, also beyond the ends", () => {
  expect([-1, 0.2, 0.3, 0.9, 2].map((share) => nearest(graph, share))).toEqual([0, 0, 1, 2, 2]);
  expect(nearest([], 0.5)).toBe(0);
});

const holes = (text: string) => [...text.matchAll(/\{(\w+)/g)].map((found) => found[1]).sort();

test("both languages say the same things", () => {
  const { en, de } = catalogue;
  expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort());
  for (const key of Object.keys(en) as (keyof typeof en)[]) expect(holes(de[key]), key).toEqual(holes(en[key]));
});
