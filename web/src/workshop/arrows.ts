/** Arrow keys go from button to button of what is drawn by tapping, and Tab goes past all of it. Each says by
 * `data-at` which column and row it is in; where none is next, the one after it is taken. */
const STEPS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function arrows(drawing: HTMLElement): () => void {
  const buttons = () => [...drawing.querySelectorAll<HTMLElement>("[data-at]")];
  const rove = (to: HTMLElement | undefined) => {
    for (const one of buttons()) one.tabIndex = one === to ? 0 : -1;
  };
  const enter = (event: FocusEvent) => rove(event.target as HTMLElement);
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const from = (event.target as HTMLElement).dataset["at"]?.split(",").map(Number);
    if (step === undefined || from === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const [x = 0, y = 0] = from;
    const next = (n: number) => drawing.querySelector<HTMLElement>(`[data-at="${x + n * step[0]},${y + n * step[1]}"]`);
    (next(1) ?? next(2))?.focus();
  };
  rove(buttons()[0]);
  drawing.addEventListener("focusin", enter);
  drawing.addEventListener("keydown", move);
  return () => {
    drawing.removeEventListener("focusin", enter);
    drawing.removeEventListener("keydown", move);
  };
}
