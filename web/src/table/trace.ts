/** What is still to be seen on the board: everything since one's own last move, or that move itself while
 * nothing has come after it. Read from the record, so it is the same after a reload. */
import type { News } from "$/games/game";

/** The seat whose move an entry is; nobody's for what the table itself does. */
export function moverOf(entry: { number: number; text: string }): string | null {
  return /^\d+\. ([A-Z]) /.exec(entry.text)?.[1] ?? null;
}

export function traceOf(entries: readonly News[], you: string | null): News[] {
  const last = entries.at(-1);
  if (last === undefined) return [];
  const own = you === null ? entries.length - 1 : entries.findLastIndex((entry) => moverOf(entry) === you);
  return own === entries.length - 1 ? [last] : entries.slice(own + 1);
}
