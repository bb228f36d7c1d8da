import { describe, expect, it } from "vitest";
import theme from "../../../look/theme.css?raw";
import palette from "./palette.css?raw";
import { drawing } from "./art";

const inks = new Map(
  [...`${theme}${palette}`.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(
    ([, name, light, dark]) => [name, { light, dark }] as const,
  ),
);
/** How strongly a department colours its cubes. */
const TAKEN = Number(drawing("taken-S").shapes[0]?.["fill-opacity"]);
type Colour = [number, number, number];

function colour(name: string, theme: "light" | "dark"): Colour {
  const found = inks.get(name)?.[theme];
  if (!found) throw new Error(`no colour ${name}`);
  return [1, 3, 5].map((at) => parseInt(found.slice(at, at + 2), 16)) as Colour;
}

/** As it is drawn over another. */
function over(top: Colour, ground: Colour, share: number): Colour {
  return top.map((part, place) => part * share + (ground[place] ?? 0) * (1 - share)) as Colour;
}

function luminance(rgb: Colour): number {
  const [r, g, b] = rgb.map((part) => (part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4)) as Colour;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: Colour, b: Colour): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

describe.each(["light", "dark"] as const)("in the %s theme", (theme) => {
  const outside = colour("outside", theme);
  it("what is built stands out from what is not by 3:1", () => {
    for (const name of ["ground", "ground-odd", "cube"]) expect(contrast(colour(name, theme), outside), name).toBeGreaterThanOrEqual(3);
  });
  it("so does a cube that somebody has taken", () => {
    for (const seat of ["dept-1", "dept-2", "dept-3"]) {
      const taken = over(colour(seat, theme), colour("cube", theme), TAKEN);
      expect(contrast(taken, outside), seat).toBeGreaterThanOrEqual(3);
    }
  });
  it("walls, furniture and signs stand out from the floor", () => {
    for (const ground of ["ground", "ground-odd", "cube"]) {
      for (const name of ["wall", "furniture", "fits", "loss", "way"]) {
        expect(contrast(colour(name, theme), colour(ground, theme)), `${name} on ${ground}`).toBeGreaterThanOrEqual(3);
      }
    }
  });
  it("names of squares can be read", () => {
    expect(contrast(colour("outside-ink", theme), outside)).toBeGreaterThanOrEqual(4.5);
  });
  it("what is written on a sign can be read", () => {
    for (const name of ["fits", "loss"]) expect(contrast(colour("on-sign", theme), colour(name, theme)), name).toBeGreaterThanOrEqual(4.5);
  });
});
