import { expect, it } from "vitest";
import { SEATS } from "../model/view";
import said from "../said.json";
import { drawing } from "./art";

it("there is a drawing for all that is drawn, and no other", () => {
  const kinds = Object.keys(said.kinds.en).filter((kind) => kind !== "uncovered");
  const people = SEATS.flatMap((seat) => [`employee-${seat}`, `taken-${seat}`]);
  const others = ["back", "floor", "floor-odd", "floor-cube", "worth", "worth-less"];
  expect(drawing.names).toEqual([...new Set([...kinds, ...people, ...others])].sort());
  for (const name of drawing.names) expect(drawing(name).shapes.length, name).toBeGreaterThan(0);
});
