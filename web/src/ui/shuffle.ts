/** Was the deal changed after the start? The same sum as core/deal.py makes, over the same lines. */
export type Deal = Record<string, string[]>;

/** The text that was committed to: the salt, then a line for each part of the deal. */
export function committed(salt: string, deal: Deal): string {
  const lines = Object.entries(deal).map(([label, cards]) => `deal ${label}: ${cards.join(" ")}`.trimEnd());
  return [`salt: ${salt}`, ...lines, ""].join("\n");
}

export async function sha256(text: string): Promise<string> {
  const sum = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export async function opens(commitment: string, salt: string, deal: Deal): Promise<boolean> {
  return (await sha256(committed(salt, deal))) === commitment;
}

/** Browsers compute such sums only where nobody can tamper with the page on its way. */
export const canCheck = (): boolean => globalThis.crypto?.subtle !== undefined;
