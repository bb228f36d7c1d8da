/** The order in which somebody has their cards at a table, on this device: a reload sorts nothing. */
const KEPT = "openplan.hands";
/** Hands remembered; the one not held for longest goes first. */
const MOST = 20;

function all(): Record<string, string[]> {
  try {
    return (JSON.parse(localStorage.getItem(KEPT) ?? "{}") ?? {}) as Record<string, string[]>;
  } catch {
    return {};
  }
}

export function handKept(key: string): string[] {
  const found: unknown = all()[key];
  return Array.isArray(found) ? found.filter((card) => typeof card === "string") : [];
}

export function keepHand(key: string, cards: readonly string[]): void {
  const { [key]: _, ...others } = all();
  try {
    localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries([...Object.entries(others).slice(1 - MOST), [key, cards]])));
  } catch {
    // No room, or no leave: then it lasts as long as the page.
  }
}
