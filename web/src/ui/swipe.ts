/** A finger's swipe to the side, as an attachment: `{@attach swipe((by) => turn(by))}`. `by` is 1 for what comes
 * next, -1 for what was before. Up and down belong to the page, and so does a field or a list that is used. */
const FAR = 48;
const FLAT = 2;

export function swipe(onswipe: (by: 1 | -1) => void): (element: HTMLElement) => () => void {
  return (element) => {
    let start: { id: number; x: number; y: number } | null = null;
    const down = (event: PointerEvent) => {
      const { target } = event;
      const isUsed = target instanceof Element && target.closest("input, select, textarea") !== null;
      start = event.pointerType === "mouse" || !event.isPrimary || isUsed ? null : { id: event.pointerId, x: event.clientX, y: event.clientY };
    };
    const up = (event: PointerEvent) => {
      if (start?.id !== event.pointerId) return;
      const [across, along] = [event.clientX - start.x, event.clientY - start.y];
      start = null;
      if (Math.abs(across) >= FAR && Math.abs(across) >= FLAT * Math.abs(along)) onswipe(across < 0 ? 1 : -1);
    };
    const forget = () => (start = null);
    // Without it the browser keeps a sideways move for itself and tells nobody how it ended.
    element.style.touchAction = "pan-y";
    element.addEventListener("pointerdown", down);
    element.addEventListener("pointerup", up);
    element.addEventListener("pointercancel", forget);
    return () => {
      element.removeEventListener("pointerdown", down);
      element.removeEventListener("pointerup", up);
      element.removeEventListener("pointercancel", forget);
    };
  };
}
