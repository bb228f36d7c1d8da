/** What the table shares with the seats above it: as far as points are known to who looks, and what pressing
 * them does. There is one table on a page. */
import type { Seat } from "./view";

interface Told {
  /** `null`: as the view has them. */
  points: Record<Seat, number> | null;
  gains: Partial<Record<Seat, number>>;
  /** The turn that is being shown and that nobody has seen yet; nothing of it and of later ones is told elsewhere. */
  hiddenFrom: number | null;
  explain: ((seat: Seat) => void) | null;
}

export const told = $state<Told>({ points: null, gains: {}, hiddenFrom: null, explain: null });

/** Nobody tells anything any more. */
export function hush(): void {
  Object.assign(told, { points: null, gains: {}, hiddenFrom: null, explain: null });
}
