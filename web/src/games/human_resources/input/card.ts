/** Pointer on a card: a press that stays shows it, one that moves drags it, a mouse that rests shows it. */

export interface CardHandlers {
  /** Whether it can be dragged now. */
  canDrag(): boolean;
  show(): void;
  hide(): void;
  start(): void;
  move(x: number, y: number): void;
  /** Let go; `null` if the drag was broken off. */
  drop(at: { x: number; y: number } | null): void;
}

const LONG_PRESS = 450;
const REST = 320;
const STILL = 8;

export function cardInput(node: HTMLElement, handlers: CardHandlers): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let from: { x: number; y: number; id: number } | null = null;
  let dragging = false;
  let shownByPress = false;

  function wait(milliseconds: number, then: () => void): void {
    clearTimeout(timer);
    timer = setTimeout(then, milliseconds);
  }

  function pressed(event: PointerEvent): void {
    if (event.button !== 0) return;
    from = { x: event.clientX, y: event.clientY, id: event.pointerId };
    shownByPress = false;
    if (event.pointerType !== "mouse") {
      wait(LONG_PRESS, () => {
        shownByPress = true;
        handlers.show();
      });
    } else {
      clearTimeout(timer);
      handlers.hide();
      // A mouse may leave the card between two of its moves.
      if (handlers.canDrag()) node.setPointerCapture(event.pointerId);
    }
  }

  function moved(event: PointerEvent): void {
    if (from === null || event.pointerId !== from.id) return;
    if (dragging) return handlers.move(event.clientX, event.clientY);
    if (Math.hypot(event.clientX - from.x, event.clientY - from.y) < STILL || shownByPress) return;
    clearTimeout(timer);
    // A finger on a card swipes the hand or the page; it presses, and never drags.
    if (!handlers.canDrag() || event.pointerType === "touch") {
      from = null;
      return;
    }
    dragging = true;
    handlers.hide();
    handlers.start();
    handlers.move(event.clientX, event.clientY);
  }

  function ended(event: PointerEvent): void {
    clearTimeout(timer);
    if (dragging) handlers.drop(event.type === "pointerup" ? { x: event.clientX, y: event.clientY } : null);
    if (dragging || shownByPress) swallowClick();
    if (shownByPress) handlers.hide();
    from = null;
    dragging = false;
    shownByPress = false;
  }

  /** A click follows the release of a drag or a long press, and means nothing. */
  function swallowClick(): void {
    const swallow = (event: Event) => {
      event.stopPropagation();
      event.preventDefault();
    };
    node.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => node.removeEventListener("click", swallow, { capture: true }), 0);
  }

  const entered = (event: PointerEvent) => {
    if (event.pointerType === "mouse" && event.buttons === 0) wait(REST, handlers.show);
  };
  const left = (event: PointerEvent) => {
    if (event.pointerType !== "mouse") return;
    clearTimeout(timer);
    handlers.hide();
  };
  const menu = (event: Event) => event.preventDefault();

  const over = new AbortController();
  const here = { signal: over.signal };
  node.addEventListener("pointerdown", pressed, here);
  node.addEventListener("pointermove", moved, here);
  node.addEventListener("pointerup", ended, here);
  node.addEventListener("pointercancel", ended, here);
  node.addEventListener("pointerenter", entered, here);
  node.addEventListener("pointerleave", left, here);
  node.addEventListener("contextmenu", menu, here);
  return () => {
    clearTimeout(timer);
    over.abort();
  };
}
