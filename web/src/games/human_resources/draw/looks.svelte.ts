/** What the parts of one page share beyond the table: the scored pile that is looked into, and points that
 * are still on their way to the score. There is one table on a page. */
import type { SeatCode } from "../model/view";

class Looks {
  /** Whose scored pile lies open. */
  pile: SeatCode | null = $state(null);
  /** Points scored already and not yet arrived. */
  flying: Record<SeatCode, number> = $state({ A: 0, B: 0 });
  /** Points that have just arrived, to be read beside the score. */
  arrived: Record<SeatCode, number> = $state({ A: 0, B: 0 });

  clear(): void {
    this.pile = null;
    this.settle();
  }

  settle(): void {
    this.flying = { A: 0, B: 0 };
    this.arrived = { A: 0, B: 0 };
  }

  arrive(seat: SeatCode, points: number): void {
    this.flying[seat] = Math.max(0, this.flying[seat] - points);
    this.arrived[seat] += points;
  }
}

export const looks = new Looks();
