/** How far somebody has seen a table: the last entry of the record that was shown to them, and how many turns of
 * sealed orders were opened before their eyes. Kept on this device at once and on the server soon after: whoever
 * comes back, here or elsewhere, is shown what came since, and nothing twice. */
import { ask } from "$/api/client";

interface Far {
  entry?: number;
  turn?: number;
}

const KEPT = "openplan.seen";
/** Tables remembered here; the one not looked at for longest goes first. */
const MOST = 60;
/** Moves come one after the other: the last of them is sent. */
const PAUSE = 1500;
/** So long the table waits for what another device has seen. */
const PATIENCE = 3000;

function all(): Record<string, Far> {
  try {
    return (JSON.parse(localStorage.getItem(KEPT) ?? "{}") ?? {}) as Record<string, Far>;
  } catch {
    return {};
  }
}

export class Seen {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unsent = false;

  constructor(
    readonly key: string,
    /** Where the server keeps it; nowhere for who holds no seat. */
    readonly path: string | null = null,
  ) {}

  get entry(): number | null {
    return this.#here().entry ?? null;
  }

  get turn(): number | null {
    return this.#here().turn ?? null;
  }

  /** What another device was shown counts here too. */
  async bring(): Promise<void> {
    if (this.path === null) return;
    const wait = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE));
    const found = await Promise.race([ask<Required<Far>>("GET", this.path), wait]).catch(() => null);
    if (found === null || found.entry === 0) return;
    const { entry = 0, turn = 0 } = this.#here();
    this.#put({ entry: Math.max(entry, found.entry), turn: Math.max(turn, found.turn) });
  }

  saw(more: Far): void {
    const here = this.#here();
    const now = { ...here, ...more };
    if (now.entry === here.entry && now.turn === here.turn) return;
    this.#put(now);
    this.#unsent = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#send(), PAUSE);
  }

  /** The page goes away, or out of sight: what has not been sent goes now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#send(true);
  }

  #send(isLast = false): void {
    if (this.path === null || !this.#unsent) return;
    this.#unsent = false;
    const { entry = 0, turn = 0 } = this.#here();
    // What does not arrive goes with the next move that is seen.
    void ask("PUT", this.path, { entry, turn }, isLast).catch(() => (this.#unsent = true));
  }

  #here(): Far {
    const found: unknown = all()[this.key];
    return typeof found === "object" && found !== null ? found : {};
  }

  #put(far: Far): void {
    const { [this.key]: _, ...others } = all();
    try {
      localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries([...Object.entries(others).slice(1 - MOST), [this.key, far]])));
    } catch {
      // No room, or no leave: then the server alone knows.
    }
  }
}
