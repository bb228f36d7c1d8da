/** The commitments seen when matches began, kept in this browser: a host that showed another one at the
 * end would be found out. */
const KEPT = "openplan.commitments";
const MOST = 200;

function read(): [string, string][] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(found) ? (found as [string, string][]) : [];
  } catch {
    return [];
  }
}

export function remember(table: string, commitment: string): void {
  const kept = read();
  if (kept.some(([known]) => known === table)) return;
  localStorage.setItem(KEPT, JSON.stringify([...kept, [table, commitment]].slice(-MOST)));
}

export function remembered(table: string): string | null {
  return read().find(([known]) => known === table)?.[1] ?? null;
}
