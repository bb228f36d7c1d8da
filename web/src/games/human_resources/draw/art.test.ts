import { expect, it } from "vitest";
import { copyOf, readPart } from "$/look/parts";
import { abilityOf, quotaOf } from "../model/view";
import { drawing } from "./art";

it("there is a drawing for all that is drawn, and no other", () => {
  const faces = ["M", "Q", "X"].flatMap((kind) => Array.from({ length: 12 }, (_, n) => ["d", "l"].map((side) => `${kind}${String(n + 1).padStart(2, "0")}${side}`))).flat();
  const signs = new Set(faces.flatMap((card) => [abilityOf(card), quotaOf(card)].flatMap((one, place) => (one === null ? [] : [`${place === 0 ? "ability" : "quota"}-${one}`]))));
  const others = ["carpet", "desk", "band", "back"].flatMap((what) => [`${what}-dark`, `${what}-light`]);
  expect(drawing.names).toEqual([...signs, ...others, "back-unknown"].sort());
  for (const name of drawing.names) expect(drawing(name).shapes.length, name).toBeGreaterThan(0);
});

it("a drawing keeps its measure and each path its own look", () => {
  expect(readPart('<svg xmlns="x" viewBox="0 0 40 52">\n<path fill="none" stroke="var(--ink, #000000)" d="M0 0h4"/>\n</svg>\n')).toEqual({
    width: 40,
    height: 52,
    shapes: [{ fill: "none", stroke: "var(--ink, #000000)", d: "M0 0h4" }],
  });
  expect(() => drawing("sofa")).toThrow("no drawing sofa");
});

it("each copy of a drawing has all of its paths", () => {
  const part = drawing("desk-dark");
  for (const _ of [1, 2]) {
    const copy = copyOf(part);
    expect([...copy.childNodes].map((path) => (path as Element).getAttribute("d"))).toEqual(part.shapes.map((shape) => shape.d));
  }
});
