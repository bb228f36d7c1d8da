import { expect, test } from "vitest";
import { fill } from "$/words";
import { de } from "./de";
import { en } from "./en";

const holes = (text: string) => [...text.matchAll(/\{(\w+)/g)].map((found) => found[1]).sort();

test("both languages say the same things", () => {
  expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort());
  for (const key of Object.keys(en) as (keyof typeof en)[]) {
    expect(new Set(holes(de[key])), key).toEqual(new Set(holes(en[key])));
    expect(de[key].trim(), key).not.toBe("");
  }
});

test("holes are filled, and numbers choose their form", () => {
  expect(fill("{who} has {n} {n|card|cards}", { who: "Ann", n: 1 })).toBe("Ann has 1 card");
  expect(fill("{n} {n|card|cards}", { n: 2 })).toBe("2 cards");
  expect(fill("{unknown}", {})).toBe("{unknown}");
});
