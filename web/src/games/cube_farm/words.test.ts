import { expect, it } from "vitest";
import { FARM, signed, why } from "./words";

it("says the same in every language", () => {
  const holes = (text: string) => [...text.matchAll(/\{(\w+)/g)].map((found) => found[1]);
  for (const key of Object.keys(FARM.en) as (keyof typeof FARM.en)[]) {
    expect(new Set(holes(FARM.de[key])), key).toEqual(new Set(holes(FARM.en[key])));
  }
});

it("names what is in the way, and falls back to the code", () => {
  expect(why("taken", { by: "P" })).toContain("Product Development");
  expect(why("covered", { at: ["E1"] })).toBe("E1 is covered already");
  expect(why("two-occupants", { at: ["E1", "W2"] })).not.toContain("{");
  expect(why("something-new", {})).toBe("something-new");
});

it("signs points", () => {
  expect([signed(3), signed(0), signed(-2)]).toEqual(["+3", "0", "−2"]);
});
