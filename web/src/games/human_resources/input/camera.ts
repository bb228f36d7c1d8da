/** How the floor lies under the window: pan and zoom as numbers, no DOM. A floor point `p` is seen at
 * `p * scale + offset`, in pixels of the window. */
import type { Box } from "../model/floor";

export interface Camera {
  x: number;
  y: number;
  scale: number;
}

export interface Window {
  width: number;
  height: number;
}

export const SQUARE = 100;
/** So many pixels a square measures at the least and the most. */
const SMALLEST = 14;
const LARGEST = 170;
/** Fitting never makes squares larger than this: a young office would fill the screen. */
const LARGEST_FIT = 116;

/** The whole box in the window, or as much of its middle as there is room for squares of `least` pixels. */
export function fit(box: Box, window: Window, least = 0, margin = 8): Camera {
  const width = (box.right - box.left) * SQUARE;
  const height = (box.bottom - box.top) * SQUARE;
  const room = { width: Math.max(window.width - 2 * margin, 1), height: Math.max(window.height - 2 * margin, 1) };
  const scale = Math.max(Math.min(room.width / width, room.height / height, LARGEST_FIT / SQUARE), least / SQUARE);
  return {
    scale,
    x: window.width / 2 - ((box.left + box.right) / 2) * SQUARE * scale,
    y: window.height / 2 - ((box.top + box.bottom) / 2) * SQUARE * scale,
  };
}

/** Nearer or farther, with the floor under (x, y) staying where it is. */
export function zoomedAt(camera: Camera, x: number, y: number, factor: number): Camera {
  const scale = Math.min(Math.max(camera.scale * factor, SMALLEST / SQUARE), LARGEST / SQUARE);
  const kept = scale / camera.scale;
  return { scale, x: x - (x - camera.x) * kept, y: y - (y - camera.y) * kept };
}

export function panned(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x + dx, y: camera.y + dy };
}

/** The same view, moved so that the box stays in the window, or fills it if it is larger; but for one square
 * and a half, so that its edge can be pulled towards the middle. */
export function kept(camera: Camera, box: Box, window: Window): Camera {
  const size = SQUARE * camera.scale;
  const slack = size * 1.5;
  const within = (value: number, one: number, two: number) => Math.min(Math.max(value, Math.min(one, two) - slack), Math.max(one, two) + slack);
  return {
    scale: camera.scale,
    x: within(camera.x, -box.left * size, window.width - box.right * size),
    y: within(camera.y, -box.top * size, window.height - box.bottom * size),
  };
}

/** The square under a point of the window. */
export function squareAt(camera: Camera, x: number, y: number): { x: number; y: number } {
  const size = SQUARE * camera.scale;
  return { x: Math.floor((x - camera.x) / size), y: Math.floor((y - camera.y) / size) };
}

/** Whether a whole box is inside the window. */
export function shows(camera: Camera, box: Box, window: Window): boolean {
  const size = SQUARE * camera.scale;
  return (
    camera.x + box.left * size >= 0 &&
    camera.y + box.top * size >= 0 &&
    camera.x + box.right * size <= window.width &&
    camera.y + box.bottom * size <= window.height
  );
}
