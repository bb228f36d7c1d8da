import { expect, it } from "vitest";
import { frame, isTaller, panned, pointAt, revealing, WHOLE, zoomed } from "./camera";

const desk = { least: 1, most: 76 };
const phone = { least: 40, most: 54 };
const box = { left: -2, top: -1, right: 5, bottom: 2 };

it("shows the whole floor in the middle", () => {
  const shown = frame(WHOLE, box, 400, 400, desk);
  expect(shown.scale).toBe(50);
  expect(shown.middle).toEqual({ x: 2, y: 1 });
  expect(pointAt(shown, 200, 200)).toEqual({ x: 2, y: 1 });
  expect(pointAt(shown, 0, 200).x).toBe(-2);
});

it("keeps the point under the fingers while zooming, within limits", () => {
  const shown = frame(WHOLE, box, 400, 400, desk);
  const under = pointAt(shown, 90, 250);
  const near = zoomed(shown, WHOLE, 4, 90, 250);
  const after = pointAt(frame(near, box, 400, 400, desk), 90, 250);
  expect(after.x).toBeCloseTo(under.x);
  expect(after.y).toBeCloseTo(under.y);
  expect(zoomed(shown, WHOLE, 1000, 0, 0).zoom).toBe(5);
  expect(zoomed(shown, WHOLE, 0.001, 0, 0).zoom).toBe(0.6);
});

it("follows the pointer when panned, but never out of sight of the floor", () => {
  const near = { middle: { x: 2, y: 1 }, zoom: 3 };
  const shown = frame(near, box, 400, 400, desk);
  const moved = frame(panned(shown, near, 50, -25), box, 400, 400, desk);
  expect(pointAt(moved, 250, 175)).toEqual(pointAt(shown, 200, 200));
  for (const [dx, dy] of [[9000, 0], [-9000, 0], [0, 9000], [0, -9000]] as const) {
    for (const camera of [WHOLE, near, { middle: null, zoom: 0.6 }]) {
      const pushed = frame(panned(frame(camera, box, 400, 400, desk), camera, dx, dy), box, 400, 400, desk);
      const [a, b] = [pointAt(pushed, 0, 0), pointAt(pushed, 400, 400)];
      // Either all of the floor is seen on that axis, or nothing but floor.
      const isWhole = (low: number, high: number, from: number, to: number) => low <= from + 1e-9 && high >= to - 1e-9;
      const isInside = (low: number, high: number, from: number, to: number) => low >= from - 1e-9 && high <= to + 1e-9;
      expect(isWhole(a.x, b.x, -2, 6) || isInside(a.x, b.x, -2, 6)).toBe(true);
      expect(isWhole(a.y, b.y, -1, 3) || isInside(a.y, b.y, -1, 3)).toBe(true);
    }
  }
});

it("gives a finger squares that it can hit, also where the floor is larger than the window", () => {
  const wide = { left: -10, top: -8, right: 10, bottom: 8 };
  expect(frame(WHOLE, wide, 336, 300, desk).scale).toBeLessThan(40);
  const shown = frame(WHOLE, wide, 336, 300, phone);
  expect(shown.scale).toBe(40);
  expect(isTaller(shown, wide)).toBe(true);
  expect(isTaller(frame(WHOLE, box, 336, 300, phone), box)).toBe(false);
});

it("moves just so far that a card is seen", () => {
  const wide = { left: -10, top: -8, right: 10, bottom: 8 };
  const shown = frame(WHOLE, wide, 400, 400, phone);
  const card = { left: 8, top: 0, right: 10, bottom: 1 };
  const moved = frame(revealing(shown, WHOLE, card), wide, 400, 400, phone);
  expect(pointAt(moved, 400, 0).x).toBe(11);
  expect(moved.middle.y).toBe(shown.middle.y);
  const seen = { left: 0, top: 0, right: 1, bottom: 1 };
  expect(revealing(shown, WHOLE, seen)).toBe(WHOLE);
});
