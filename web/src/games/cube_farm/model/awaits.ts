import { isSeat, type FarmView } from "./view";

/** Whether somebody's orders are known to be missing. Of the others that is known only where the table shows
 * who has sent some (CF-9). */
export function awaits(view: FarmView, seat: string): boolean {
  if (!isSeat(seat) || view.over || view.withdrawn.includes(seat) || view.sent.includes(seat)) return false;
  return view.house["show-sent"] === "yes" || view.viewer === seat;
}
