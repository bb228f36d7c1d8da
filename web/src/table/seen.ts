/** How far somebody has seen a table, on this device: the number of the last entry of the record that was
 * shown to them. Whoever comes back is shown what came after it. */
const KEPT = "openplan.seen";
/** Tables remembered; the one not looked at for longest goes first. */
const MOST = 60;

function all(): Record<string, number> {
  try {
    return (JSON.parse(localStorage.getItem(KEPT) ?? "{}") ?? {}) as Record<string, number>;
  } catch {
    return {};
  }
}

export function seenOf(key: string): number | null {
  const found: unknown = all()[key];
  return typeof found === "number" ? found : null;
}

export function saw(key: string, number: number): void {
  const { [key]: _, ...others } = all();
  const kept = [...Object.entries(others).slice(1 - MOST), [key, number] as const];
  localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(kept)));
}
