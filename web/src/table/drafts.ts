/** Moves half made: kept on this device at once and on the server soon after, so that they are there after a
 * reload, on another page and on another device. The newest counts. */
import { ask, serverNow, Unreachable } from "$/api/client";

export interface Drafts {
  /** What was half made at this stamp: a turn, or a version of the table; `null` if nothing was. */
  read(stamp: number): string | null;
  /** `null` gives it up. */
  write(stamp: number, text: string | null): void;
  /** The move is made: the server knows that nothing is left of it. */
  done(stamp: number): void;
}

/** Where nothing is to be kept: a look back, a spectator. */
export const NO_DRAFTS: Drafts = { read: () => null, write: () => {}, done: () => {} };

interface Kept {
  /** When it was written, in microseconds of the server's clock. */
  at: number;
  stamp: number;
  text: string | null;
  /** Where the server has not got it yet; nowhere known without a session. */
  unsent?: string;
}

const KEPT = "openplan.drafts";
/** Places remembered here; the one not worked at for longest goes first. */
const MOST = 40;
/** Nobody wants a request for every tap. */
const PAUSE = 800;
/** So long the board waits for what another device has kept. */
const PATIENCE = 5000;

function all(): Record<string, Kept> {
  try {
    return (JSON.parse(localStorage.getItem(KEPT) ?? "{}") ?? {}) as Record<string, Kept>;
  } catch {
    return {};
  }
}

/** What a page could not send, because it went away or the network did, goes with the next one or with the network. */
export function sendUnsent(): void {
  for (const [key, { unsent }] of Object.entries(all())) if (unsent) new KeptDraft(key, unsent).flush();
}

export class KeptDraft implements Drafts {
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly key: string,
    /** Where the server keeps it; nowhere for who has no session. */
    readonly path: string | null = null,
  ) {}

  /** Have what another device has kept, if it is newer. */
  async bring(): Promise<void> {
    if (this.path === null) return;
    const wait = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE));
    const found = await Promise.race([ask<{ text: string; at: number }>("GET", this.path), wait]).catch(() => null);
    if (found === null || found.at <= (this.#here()?.at ?? 0)) return;
    try {
      const { stamp, text } = (found.text === "" ? { stamp: 0, text: null } : JSON.parse(found.text)) as Pick<Kept, "stamp" | "text">;
      this.#put({ at: found.at, stamp, text });
    } catch {
      // Not written by a page of ours: as if there were none.
    }
  }

  read(stamp: number): string | null {
    const found = this.#here();
    if (found?.stamp !== stamp || typeof found.text !== "string") return null;
    if (found.unsent !== undefined) this.#soon();
    return found.text;
  }

  write(stamp: number, text: string | null): void {
    const before = this.#here();
    const had = before?.stamp === stamp ? before.text : null;
    if (had === text) return;
    this.#put({ at: serverNow() * 1000, stamp, text, unsent: this.path ?? "" });
    this.#soon();
  }

  done(stamp: number): void {
    clearTimeout(this.#timer);
    this.#put({ at: serverNow() * 1000, stamp, text: null });
  }

  /** The page goes away: what has not been sent goes now. */
  readonly flush = (): void => {
    clearTimeout(this.#timer);
    void this.#send(true);
  };

  /** While the page is open. */
  listen(): () => void {
    addEventListener("pagehide", this.flush);
    return () => {
      removeEventListener("pagehide", this.flush);
      this.flush();
    };
  }

  #here(): Kept | undefined {
    return all()[this.key];
  }

  #put(kept: Kept): void {
    const { [this.key]: _, ...others } = all();
    try {
      localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries([...Object.entries(others).slice(1 - MOST), [this.key, kept]])));
    } catch {
      // No room, or no leave: then it lasts as long as the page.
    }
  }

  #soon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#send(), PAUSE);
  }

  async #send(isLast = false): Promise<void> {
    const kept = this.#here();
    if (this.path === null || kept?.unsent === undefined) return;
    const text = kept.text === null ? "" : JSON.stringify({ stamp: kept.stamp, text: kept.text });
    try {
      await ask("PUT", this.path, { text, at: Math.round(kept.at) }, isLast);
    } catch (error) {
      if (error instanceof Unreachable) return; // It stays here, and goes later.
    }
    const now = this.#here();
    if (now?.at === kept.at) this.#put({ at: kept.at, stamp: kept.stamp, text: kept.text });
  }
}
