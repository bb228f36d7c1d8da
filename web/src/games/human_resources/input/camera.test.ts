import { expect, test } from "vitest";
import { fit, kept, panned, shows, squareAt, SQUARE, zoomedAt } from "./camera";

const window = { width: 400, height: 300 };
const box = { left: -2, top: -1, right: 4, bottom: 3 };

test("fitting shows the whole box, in the middle", () => {
  const camera = fit(box, window);
  expect(shows(camera, box, window)).toBe(true);
  expect(camera.x + ((box.left + box.right) / 2) * SQUARE * camera.scale).toBeCloseTo(200);
  expect(shows(zoomedAt(camera, 200, 150, 3), box, window)).toBe(false);
});

test("a young office does not fill the screen", () => {
  const camera = fit({ left: 0, top: 0, right: 1, bottom: 1 }, { width: 2000, height: 2000 });
  expect(camera.scale * SQUARE).toBeLessThan(120);
});

test("zooming keeps the floor under the pointer, and has ends", () => {
  const camera = fit(box, window);
  const before = squareAt(camera, 123, 77);
  expect(squareAt(zoomedAt(camera, 123, 77, 1.7), 123, 77)).toEqual(before);
  const far = zoomedAt(camera, 0, 0, 1e-9);
  expect(zoomedAt(far, 0, 0, 0.5).scale).toBe(far.scale);
});

test("panning moves what is under a point", () => {
  const camera = { x: 0, y: 0, scale: 0.5 };
  expect(squareAt(camera, 60, 10)).toEqual({ x: 1, y: 0 });
  expect(squareAt(panned(camera, 50, 0), 60, 10)).toEqual({ x: 0, y: 0 });
  expect(squareAt(camera, -1, -1)).toEqual({ x: -1, y: -1 });
});

test("the office is never lost out of sight", () => {
  const size = 50;
  for (const [dx, dy] of [[9999, 0], [-9999, 0], [0, 9999], [0, -9999]] as const) {
    const camera = kept(panned({ x: 0, y: 0, scale: 0.5 }, dx, dy), box, window);
    const right = camera.x + box.right * size;
    const left = camera.x + box.left * size;
    const bottom = camera.y + box.bottom * size;
    const top = camera.y + box.top * size;
    expect(right > 0 && left < window.width && bottom > 0 && top < window.height).toBe(true);
  }
});

test("on a phone squares stay large enough for a finger, whatever is then outside", () => {
  const wide = { left: -6, top: -4, right: 6, bottom: 4 };
  expect(fit(wide, window).scale * SQUARE).toBeLessThan(40);
  const camera = fit(wide, window, 40);
  expect(camera.scale * SQUARE).toBe(40);
  // The middle of it is in the middle.
  expect(camera.x + ((wide.left + wide.right) / 2) * 40).toBeCloseTo(200);
});
