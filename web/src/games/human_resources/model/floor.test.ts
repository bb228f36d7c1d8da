import { expect, test } from "vitest";
import { boxAround, changes, formatSquare, outline, parseSquare, shifted } from "./floor";

test("squares are read and written by their compass names", () => {
  for (const [name, x, y] of [["0", 0, 0], ["E2S1", 2, 1], ["W1N4", -1, -4], ["S3", 0, 3], ["W12", -12, 0]] as const) {
    expect(parseSquare(name)).toEqual({ x, y });
    expect(formatSquare({ x, y })).toBe(name);
  }
  for (const wrong of ["", "S1E2", "E", "1", "e2"]) expect(() => parseSquare(wrong)).toThrow();
});

test("a shifted square lies so far in its direction", () => {
  expect(shifted("W1", "east", 3)).toBe("E2");
  expect(shifted("0", "north", 2)).toBe("N2");
});

test("the box lies around all squares", () => {
  expect(boxAround(["W1N2", "E3", "S4"])).toEqual({ left: -1, top: -2, right: 4, bottom: 5 });
});

test("two offices differ in what came, went and turned", () => {
  const before = [
    { square: "0", colour: "dark" as const },
    { square: "E1", colour: "light" as const },
    { square: "S1", colour: "light" as const },
  ];
  const after = [
    { square: "0", colour: "light" as const },
    { square: "E1", colour: "light" as const },
    { square: "E2", colour: "dark" as const },
  ];
  expect(changes(before, after)).toEqual(
    new Map([
      ["0", "turned"],
      ["E2", "new"],
      ["S1", "gone"],
    ]),
  );
});

test("an outline has only the sides that face outward", () => {
  // Two squares side by side: six sides, none between them.
  expect(outline(["0", "E1"], 10).match(/M/g)).toHaveLength(6);
  expect(outline(["0", "E1"], 10)).not.toContain("M10 0V10");
});
