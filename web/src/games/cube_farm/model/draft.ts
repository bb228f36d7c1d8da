/** Where orders are kept while they are composed, so that they are there after a reload. This is the one
 * place that knows where: on this device. */

export interface Drafts {
  /** What was composed in this turn and not sealed; `null` if nothing was. */
  read(turn: number): string | null;
  /** `null` forgets it. */
  write(turn: number, text: string | null): void;
}

/** Where nothing is to be kept: a lesson, a look back. */
export const NO_DRAFTS: Drafts = { read: () => null, write: () => {} };

const KEPT = "openplan.drafts";
/** Tables remembered; the one not worked at for longest goes first. */
const MOST = 40;

type All = Record<string, { turn: number; text: string }>;

function all(): All {
  try {
    return (JSON.parse(localStorage.getItem(KEPT) ?? "{}") ?? {}) as All;
  } catch {
    return {};
  }
}

/** Drafts of one seat at one table. */
export function draftsOnDevice(key: string): Drafts {
  return {
    read(turn) {
      const found = all()[key];
      return found?.turn === turn && typeof found.text === "string" ? found.text : null;
    },
    write(turn, text) {
      const { [key]: before, ...others } = all();
      if (text === null && before === undefined) return;
      const kept = text === null ? Object.entries(others) : [...Object.entries(others).slice(1 - MOST), [key, { turn, text }] as const];
      try {
        localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(kept)));
      } catch {
        // No room, or no leave: then it lasts as long as the page.
      }
    },
  };
}
