/** Where one looks on a floor, in squares; `null` as the middle shows the whole of it. */
import type { Box } from "../model/plan";
import type { Square } from "../model/view";

export interface Camera {
  middle: Square | null;
  zoom: number;
}

export interface Frame {
  /** Pixels of a square. */
  scale: number;
  middle: Square;
  width: number;
  height: number;
}

export const WHOLE: Camera = { middle: null, zoom: 1 };
const MOST = 5;
const LEAST = 0.6;
/** Pixels of a square when nobody has zoomed. */
export interface Sizes {
  least: number;
  most: number;
}

/** What of the floor a window of so many pixels shows. Squares are neither smaller nor larger than they may be
 * before anybody zooms, also if not all of the floor is seen then. Nobody looks past `within`: a floor cannot
 * be pushed out of sight. */
export function frame(camera: Camera, box: Box, width: number, height: number, { least, most }: Sizes, within: Box = box): Frame {
  const fit = Math.min(width / acrossOf(box), height / downOf(box), most);
  const scale = Math.max(fit, least) * camera.zoom;
  const wanted = camera.middle ?? { x: box.left + acrossOf(box) / 2, y: box.top + downOf(box) / 2 };
  const middle = {
    x: held(wanted.x, within.left, acrossOf(within), width / scale),
    y: held(wanted.y, within.top, downOf(within), height / scale),
  };
  return { scale, middle, width, height };
}

function acrossOf(box: Box): number {
  return box.right - box.left + 1;
}

function downOf(box: Box): number {
  return box.bottom - box.top + 1;
}

/** The middle of a window of this size over so much floor: neither shows more outside than it must. */
function held(middle: number, from: number, size: number, window: number): number {
  const [a, b] = [from + window / 2, from + size - window / 2];
  return Math.min(Math.max(middle, Math.min(a, b)), Math.max(a, b));
}

/** Whether there is more floor above or below than the window shows. */
export function isTaller(frame: Frame, box: Box): boolean {
  return downOf(box) * frame.scale > frame.height + 1;
}

/** The point of the floor under a point of the window. */
export function pointAt(frame: Frame, x: number, y: number): Square {
  return {
    x: frame.middle.x + (x - frame.width / 2) / frame.scale,
    y: frame.middle.y + (y - frame.height / 2) / frame.scale,
  };
}

export function panned(frame: Frame, camera: Camera, dx: number, dy: number): Camera {
  return {
    ...camera,
    middle: { x: frame.middle.x - dx / frame.scale, y: frame.middle.y - dy / frame.scale },
  };
}

/** Nearer or farther, the point of the floor under (x, y) staying where it is. */
export function zoomed(frame: Frame, camera: Camera, factor: number, x: number, y: number): Camera {
  const zoom = Math.min(MOST, Math.max(LEAST, camera.zoom * factor));
  const kept = pointAt(frame, x, y);
  const scale = (frame.scale / camera.zoom) * zoom;
  return {
    zoom,
    middle: { x: kept.x - (x - frame.width / 2) / scale, y: kept.y - (y - frame.height / 2) / scale },
  };
}

/** Moved just so far that all of a box is seen, and then with so much around it; the same camera if it is
 * seen already. */
export function revealing(frame: Frame, camera: Camera, box: Box, around = 0): Camera {
  const move = (middle: number, from: number, to: number, window: number) => {
    const [low, high] = [middle - window / 2, middle + window / 2];
    if (from >= low && to <= high) return middle;
    return from < low ? from - around + window / 2 : to + around - window / 2;
  };
  const middle = {
    x: move(frame.middle.x, box.left, box.right + 1, frame.width / frame.scale),
    y: move(frame.middle.y, box.top, box.bottom + 1, frame.height / frame.scale),
  };
  const isSame = middle.x === frame.middle.x && middle.y === frame.middle.y;
  return isSame ? camera : { ...camera, middle };
}
