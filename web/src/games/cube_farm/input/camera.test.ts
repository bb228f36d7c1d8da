import { expect, it } from "vitest";
import { frame, panned, pointAt, WHOLE, zoomed } from "./camera";

const box = { left: -2, top: -1, right: 5, bottom: 2 };

it("shows the whole floor in the middle", () => {
  const shown = frame(WHOLE, box, 400, 400);
  expect(shown.scale).toBe(50);
  expect(shown.middle).toEqual({ x: 2, y: 1 });
  expect(pointAt(shown, 200, 200)).toEqual({ x: 2, y: 1 });
  expect(pointAt(shown, 0, 200).x).toBe(-2);
});

it("keeps the point under the fingers while zooming, within limits", () => {
  const shown = frame(WHOLE, box, 400, 400);
  const under = pointAt(shown, 90, 300);
  const near = zoomed(shown, WHOLE, 2, 90, 300);
  const after = pointAt(frame(near, box, 400, 400), 90, 300);
  expect(after.x).toBeCloseTo(under.x);
  expect(after.y).toBeCloseTo(under.y);
  expect(zoomed(shown, WHOLE, 1000, 0, 0).zoom).toBe(5);
  expect(zoomed(shown, WHOLE, 0.001, 0, 0).zoom).toBe(0.6);
});

it("follows the pointer when panned", () => {
  const shown = frame(WHOLE, box, 400, 400);
  const moved = frame(panned(shown, WHOLE, 50, -25), box, 400, 400);
  expect(pointAt(moved, 250, 175)).toEqual(pointAt(shown, 200, 200));
});
