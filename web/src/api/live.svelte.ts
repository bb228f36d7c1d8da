/** A table as it is followed from here: one socket that comes back by itself, what it has told, and what
 * a seat can ask. No drawing here. */
import type { DeckSight, Hint, News, Options, Played, Preview, Server, Verdict } from "$/games/game";
import { reader, t } from "$/words";
import { ask, askAgain, newName, query, Refused, Unreachable } from "./client";
import type { ChatLine, Frame, TableSight, Told } from "./types";

export type Connection = "connecting" | "live" | "lost" | "gone" | "missing";

const FIRST_WAIT = 400;
const LONGEST_WAIT = 15_000;
/** Losing the network for a moment is not worth a word. */
const PATIENCE = 1500;

export class LiveTable {
  sight: TableSight | null = $state.raw(null);
  deck: DeckSight | null = $state.raw(null);
  /** What the last frame told; nothing at the first sight, which is no news. */
  news: News[] = $state.raw([]);
  entries: Told[] = $state.raw([]);
  chat: ChatLine[] = $state.raw([]);
  connection: Connection = $state("connecting");

  #socket: WebSocket | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #hush: ReturnType<typeof setTimeout> | undefined;
  #wait = FIRST_WAIT;
  #language = reader.language;
  #closed = false;
  /** The socket has sent all of the chat it will send again after a reconnect. */
  #fresh = true;
  #wake = () => {
    if (document.visibilityState === "visible" && this.#socket === null) this.#connect();
  };

  constructor(
    readonly id: string,
    readonly invite: string,
    /** The seat looked from, for who holds several. */
    readonly seat: string,
  ) {}

  get path(): string {
    return `/api/tables/${encodeURIComponent(this.id)}`;
  }

  #asked(more: Record<string, string | number> = {}): string {
    return query({ invite: this.invite, seat: this.seat, ...more });
  }

  async open(): Promise<void> {
    addEventListener("online", this.#wake);
    document.addEventListener("visibilitychange", this.#wake);
    try {
      const sight = await askAgain<TableSight>("GET", `${this.path}${this.#asked()}`);
      if (this.#closed) return;
      this.sight = sight;
      await Promise.all([this.readDeck(), sight.view === null ? null : this.#readLog()]);
    } catch (error) {
      this.connection = error instanceof Refused ? "missing" : "lost";
      if (error instanceof Unreachable && !this.#closed) this.#retry = setTimeout(() => void this.open(), LONGEST_WAIT);
      return;
    }
    if (!this.#closed) this.#connect();
  }

  /** The faces of the cards, in the reader's language. */
  async readDeck(): Promise<void> {
    // What the socket tells is in a language too: it comes back and tells the table in this one.
    if (this.#language !== reader.language) this.#socket?.close();
    this.deck = await askAgain<DeckSight>("GET", `${this.path}/deck${this.#asked()}`);
  }

  async #readLog(): Promise<void> {
    const log = await askAgain<{ entries: Told[] }>("GET", `${this.path}/log${this.#asked()}`);
    this.entries = log.entries;
  }

  /** The log of a match that has just ended. News are the entries after those whose events were told before: orders
   * that were sealed until now have caused none by themselves. */
  async #readOpenLog(): Promise<void> {
    let known = this.entries.filter((entry) => entry.events.length > 0).length;
    await this.#readLog();
    this.news = this.entries.filter((entry) => entry.events.length > 0 && --known < 0);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#hush);
    removeEventListener("online", this.#wake);
    document.removeEventListener("visibilitychange", this.#wake);
    this.#socket?.close();
    this.#socket = null;
  }

  #connect(): void {
    if (this.#closed || this.#socket !== null) return;
    clearTimeout(this.#retry);
    this.#language = reader.language;
    const version = this.entries.at(-1)?.number ?? 0;
    const address = `${this.path}/live${this.#asked({ version, language: reader.language })}`;
    const socket = new WebSocket(new URL(address.replace(/^/, location.origin.replace(/^http/, "ws"))));
    this.#socket = socket;
    this.#fresh = true;
    socket.onopen = () => {
      this.#wait = FIRST_WAIT;
      clearTimeout(this.#hush);
      this.#hush = undefined;
      this.connection = "live";
    };
    socket.onmessage = (message: MessageEvent<string>) => this.hear(JSON.parse(message.data) as Frame);
    socket.onclose = () => {
      if (this.#socket === socket) this.#socket = null;
      if (this.#closed || this.connection === "gone") return;
      this.#hush ??= setTimeout(() => (this.connection = "lost"), PATIENCE);
      this.#retry = setTimeout(() => this.#connect(), this.#wait * (0.75 + Math.random() / 2));
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    };
  }

  /** A frame, from the socket or a test. Frames come in order; one that tells nothing new changes nothing. */
  hear(frame: Frame): void {
    if (frame.type === "gone") {
      // Too slow is cured by coming back; signed out is not.
      if (frame.reason !== "too slow") this.connection = "gone";
      return;
    }
    if (frame.type === "chat") {
      this.chat = this.#fresh ? frame.lines : [...this.chat, ...frame.lines];
      this.#fresh = false;
      return;
    }
    // Once a match is over all orders are open, and the log is numbered anew.
    if (frame.table.outcome !== null && this.sight?.outcome === null && this.entries.length > 0) {
      this.sight = frame.table;
      void this.#readOpenLog().catch(() => {});
      return;
    }
    const known = this.entries.at(-1)?.number ?? 0;
    const told = frame.told.filter((entry) => entry.number > known);
    const isFirst = this.sight?.view === null || this.sight === null;
    this.sight = frame.table;
    if (told.length > 0) {
      this.entries = [...this.entries, ...told];
      if (!isFirst) this.news = told;
    }
  }

  // -- What a seat may ask -------------------------------------------------------------------

  readonly server: Server = {
    options: (steps) => askAgain<Options>("POST", `${this.path}/options${this.#asked()}`, { steps }),
    preview: (move) => askAgain<Preview>("POST", `${this.path}/preview${this.#asked()}`, { move }),
    why: (move) => askAgain<Verdict>("POST", `${this.path}/why${this.#asked()}`, { move }),
    play: (move) => this.#play(move),
  };

  async #play(move: string): Promise<Played> {
    const body = { move, version: this.sight?.version ?? 0, submission: newName() };
    let played: Played;
    try {
      played = await askAgain<Played>("POST", `${this.path}/moves${this.#asked()}`, body);
    } catch (error) {
      // Something came first that this tab has not seen: catch up, and let the player decide anew.
      if (error instanceof Refused && error.code === "stale") void this.refresh();
      throw error;
    }
    // Should the socket be down just now, the table is asked for once.
    if (this.connection !== "live") void this.refresh();
    return played;
  }

  /** What a bot would do in this place. */
  async hint(): Promise<Hint[]> {
    const hint = await ask<{ move: string; chance: number | null }>("POST", `${this.path}/hint${this.#asked()}`);
    const text = hint.chance === null ? "" : t("hint.chance", { percent: Math.round(hint.chance * 100) });
    return [{ move: hint.move, text }];
  }

  async refresh(): Promise<void> {
    const before = this.sight;
    const [sight, log] = await Promise.all([
      askAgain<TableSight>("GET", `${this.path}${this.#asked()}`),
      askAgain<{ entries: Told[] }>("GET", `${this.path}/log${this.#asked()}`).catch(() => ({ entries: [] })),
    ]);
    // The socket may have told more since this was asked for: an older table does not come back.
    if (this.sight !== before && sight.version < (this.sight?.version ?? 0)) return;
    this.hear({ type: "table", table: sight, told: log.entries });
  }

  /** Resign, offer, agree, pause...: what the menu does. */
  async act(what: string, body?: unknown): Promise<void> {
    await ask("POST", `${this.path}/${what}${this.#asked()}`, body ?? undefined);
    await this.refresh();
  }

  async say(text: string): Promise<void> {
    await ask("POST", `${this.path}/chat`, { text });
  }
}

/** A refusal or a lost network in words for the reader. */
export function inWords(error: unknown): string {
  if (error instanceof Refused) return error.clause === "" ? error.reason : `${error.reason} (${error.clause})`;
  if (error instanceof Unreachable) return t("trouble.unreachable");
  return t("trouble.unknown");
}
