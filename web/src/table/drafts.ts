/** A move half made, kept on this device until the table changes: after a reload it is taken up again. */
import type { Step } from "$/games/game";

const KEPT = "openplan.draft.";

/** The steps taken at this version of the table, under the name of table and seat; none under no name. */
export function draftOf(name: string, version: number): Step[] {
  if (name === "") return [];
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT + name) ?? "{}") as { version?: number; steps?: Step[] };
    return kept.version === version && Array.isArray(kept.steps) ? kept.steps : [];
  } catch {
    return [];
  }
}

export function keepDraft(name: string, version: number, steps: Step[]): void {
  if (name === "") return;
  if (steps.length === 0) sessionStorage.removeItem(KEPT + name);
  else sessionStorage.setItem(KEPT + name, JSON.stringify({ version, steps }));
}
