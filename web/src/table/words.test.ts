import { expect, test } from "vitest";
import { catalogue } from "./words";

const holes = (text: string) => [...text.matchAll(/\{(\w+)/g)].map((found) => found[1]).sort();

test("both languages say the same things, and the bots as many of them", () => {
  const { en, de } = catalogue;
  expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort());
  for (const key of Object.keys(en) as (keyof typeof en)[]) {
    expect(new Set(holes(de[key])), key).toEqual(new Set(holes(en[key])));
    if (key.startsWith("line.")) expect(de[key].split("|").length, key).toBe(en[key].split("|").length);
  }
});
