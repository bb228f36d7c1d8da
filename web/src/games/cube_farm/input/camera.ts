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
/** Pixels of a square at most, when the whole floor is shown. */
const LARGEST = 76;

/** What of the floor a window of so many pixels shows. */
export function frame(camera: Camera, box: Box, width: number, height: number): Frame {
  const [across, down] = [box.right - box.left + 1, box.bottom - box.top + 1];
  const fit = Math.min(width / across, height / down, LARGEST);
  const whole = { x: box.left + across / 2, y: box.top + down / 2 };
  return { scale: Math.max(fit, 1) * camera.zoom, middle: camera.middle ?? whole, width, height };
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
