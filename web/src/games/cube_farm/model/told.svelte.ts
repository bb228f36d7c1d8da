/** What the table shares with the seats above it: as far as points are known to who looks, and what pressing
 * them does. There is one table on a page. */
import type { Seat } from "./view";

interface Told {
  /** `null`: as the view has them. */
  points: Record<Seat, number> | null;
  gains: Partial<Record<Seat, number>>;
  /** Whether a turn is still being shown that nobody has seen. */
  isTelling: boolean;
  explain: ((seat: Seat) => void) | null;
}

export const told = $state<Told>({ points: null, gains: {}, isTelling: false, explain: null });

/** Nobody tells anything any more. */
export function hush(): void {
  Object.assign(told, { points: null, gains: {}, isTelling: false, explain: null });
}
