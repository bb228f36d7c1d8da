/** Pointer, pinch, wheel and keys over the floor, turned into camera moves, hovering and taps. */
import { panned, squareAt, zoomedAt, type Camera } from "./camera";
import { formatSquare } from "../model/floor";

export interface FloorHandlers {
  camera(): Camera;
  look(camera: Camera): void;
  hover(square: string | null): void;
  tap(square: string): void;
  /** Whether one finger moves the floor; else it is left to the page. */
  pans(): boolean;
}

/** A finger trembles: a pointer that moves less than this has not moved. */
const STILL = 7;
const WHEEL = 0.0016;

interface Down {
  x: number;
  y: number;
  startX: number;
  startY: number;
  moved: boolean;
}

/** Attach to the window over the floor. */
export function floorInput(node: HTMLElement, handlers: FloorHandlers): () => void {
  const down = new Map<number, Down>();

  function point(event: { clientX: number; clientY: number }): { x: number; y: number } {
    const box = node.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  function squareOf(event: { clientX: number; clientY: number }): string {
    const { x, y } = point(event);
    return formatSquare(squareAt(handlers.camera(), x, y));
  }

  function pressed(event: PointerEvent): void {
    if (event.pointerType === "mouse" && event.button > 1) return;
    const { x, y } = point(event);
    down.set(event.pointerId, { x, y, startX: x, startY: y, moved: down.size > 0 });
    // A second finger makes it a pinch: neither of them taps.
    if (down.size > 1) for (const one of down.values()) one.moved = true;
    node.setPointerCapture(event.pointerId);
  }

  function moved(event: PointerEvent): void {
    const one = down.get(event.pointerId);
    if (one === undefined) {
      if (event.pointerType === "mouse") handlers.hover(squareOf(event));
      return;
    }
    const { x, y } = point(event);
    if (!one.moved && Math.hypot(x - one.startX, y - one.startY) < STILL) return;
    if (down.size === 1 && event.pointerType === "touch" && !handlers.pans()) {
      down.set(event.pointerId, { ...one, x, y, moved: true });
      return;
    }
    if (down.size === 1) {
      handlers.look(panned(handlers.camera(), x - one.x, y - one.y));
    } else {
      const other = [...down.entries()].find(([id]) => id !== event.pointerId)?.[1];
      if (other !== undefined) {
        const was = Math.hypot(one.x - other.x, one.y - other.y) || 1;
        const is = Math.hypot(x - other.x, y - other.y) || 1;
        const zoomed = zoomedAt(handlers.camera(), (x + other.x) / 2, (y + other.y) / 2, is / was);
        handlers.look(panned(zoomed, (x - one.x) / 2, (y - one.y) / 2));
      }
    }
    down.set(event.pointerId, { ...one, x, y, moved: true });
  }

  function released(event: PointerEvent): void {
    const one = down.get(event.pointerId);
    down.delete(event.pointerId);
    if (one !== undefined && !one.moved && event.type === "pointerup") handlers.tap(squareOf(event));
  }

  function wheeled(event: WheelEvent): void {
    event.preventDefault();
    const { x, y } = point(event);
    handlers.look(zoomedAt(handlers.camera(), x, y, Math.exp(-event.deltaY * WHEEL)));
  }

  const left = () => handlers.hover(null);
  const over = new AbortController();
  const here = { signal: over.signal };
  node.addEventListener("pointerdown", pressed, here);
  node.addEventListener("pointermove", moved, here);
  node.addEventListener("pointerup", released, here);
  node.addEventListener("pointercancel", released, here);
  node.addEventListener("pointerleave", left, here);
  node.addEventListener("wheel", wheeled, { ...here, passive: false });
  return () => over.abort();
}
