/** Was the deal honest? The same sums and draws as core/deal.py makes, over the same lines. */
export type Deal = Record<string, string[]>;
/** What was drawn for a line of the deal, and from which cards. */
export type Draw = { label: string; pool: string[]; drawn: string[] };

const WORD = 2 ** 32;
const ADDED_NOTHING = "none";

async function digest(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", data));
}

const encoded = (text: string) => new TextEncoder().encode(text);

export const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export async function sha256(text: string): Promise<string> {
  return hex(await digest(encoded(text)));
}

/** What the server sealed: its own line of the chance, or in older matches the salt and the whole deal. */
export function sealed(told: { salt: string | null; chance: string[] | null; deal: Deal }): string {
  if (told.chance !== null) return `${told.chance[0]}\n`;
  const lines = Object.entries(told.deal).map(([label, cards]) => `deal ${label}: ${cards.join(" ")}`.trimEnd());
  return [`salt: ${told.salt}`, ...lines, ""].join("\n");
}

/** Numbers from the chance of all: see core/deal.py for the procedure. */
class Stream {
  private blocks = 0;
  private words: number[] = [];

  private constructor(private readonly key: Uint8Array) {}

  static async of(lines: string[]): Promise<Stream> {
    return new Stream(await digest(encoded(lines.map((line) => `${line}\n`).join(""))));
  }

  private async word(): Promise<number> {
    if (this.words.length === 0) {
      const block = new Uint8Array(this.key.length + 8);
      block.set(this.key);
      new DataView(block.buffer).setUint32(this.key.length + 4, this.blocks);
      this.blocks += 1;
      const view = new DataView((await digest(block)).buffer);
      this.words = Array.from({ length: 8 }, (_, place) => view.getUint32(4 * place));
    }
    return this.words.shift() as number;
  }

  async below(n: number): Promise<number> {
    for (;;) {
      const word = await this.word();
      if (word < WORD - (WORD % n)) return word % n;
    }
  }
}

/** Whether drawing once more from the chance lines gives each draw again, and the draws make the deal. */
export async function drawsAgain(lines: string[], draws: Draw[], deal: Deal): Promise<boolean> {
  const stream = await Stream.of(lines);
  const drawn: Deal = {};
  for (const draw of draws) {
    const pool = [...draw.pool].sort();
    // Any other order of the pool, or a card in it twice, would be a way to choose.
    if (pool.some((card, place) => card !== draw.pool[place] || card === pool[place - 1])) return false;
    for (let i = 0; i < draw.drawn.length; i++) {
      const k = i + (await stream.below(pool.length - i));
      [pool[i], pool[k]] = [pool[k] as string, pool[i] as string];
    }
    if (draw.drawn.some((card, place) => card !== pool[place])) return false;
    (drawn[draw.label] ??= []).push(...draw.drawn);
  }
  // What follows in a line, or a line without a draw, the rules make of the cards drawn.
  return Object.entries(drawn).every(([label, cards]) => cards.every((card, place) => card === deal[label]?.[place]));
}

/** The bytes that a seat's own browser added, by seat; nothing for mail and bots. */
export function addedBySeat(lines: string[]): [seat: string, bytes: string | null][] {
  return lines.slice(1).map((line) => {
    const [, seat = "", bytes = ""] = /^chance (\S+): (\S+)$/.exec(line) ?? [];
    return [seat, bytes === ADDED_NOTHING ? null : bytes];
  });
}

/** Browsers compute such sums only where nobody can tamper with the page on its way. */
export const canCheck = (): boolean => globalThis.crypto?.subtle !== undefined;
