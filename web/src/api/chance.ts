/** What this browser adds to a deal, and what it was promised before: kept here, so that a host that showed
 * another seal at the end, or left out what was added, would be found out. */
import { ask } from "./client";
import type { Seal } from "./types";

const KEPT = "openplan.commitments";
const MOST = 200;
const BYTES = 32;

type Note = [table: string, commitment: string, bytes?: string];

function read(): Note[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(found) ? (found as Note[]) : [];
  } catch {
    return [];
  }
}

/** The seal of a table that this browser saw first, and the bytes it added last. */
export function note(table: string, commitment: string, bytes?: string): void {
  const kept = read();
  const known = kept.find(([id]) => id === table);
  if (known !== undefined && bytes === undefined) return;
  const first = known?.[1] ?? commitment;
  const noted: Note = bytes === undefined ? [table, first] : [table, first, bytes];
  localStorage.setItem(KEPT, JSON.stringify([...kept.filter((one) => one !== known), noted].slice(-MOST)));
}

export function noted(table: string): { commitment: string; bytes: string | null } | null {
  const found = read().find(([known]) => known === table);
  return found === undefined ? null : { commitment: found[1], bytes: found[2] ?? null };
}

export function newBytes(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Before there is a table: the server seals its chance first, then this browser's bytes are made. */
export async function promised(): Promise<{ seal: Seal; bytes: string }> {
  const seal = await ask<Seal>("POST", "/api/chance");
  return { seal, bytes: newBytes() };
}
