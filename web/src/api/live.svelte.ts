/** A table as it is followed from here: one socket that comes back by itself, what it has told, and what
 * a seat can ask. What it tells is shown one thing at a time: `sight`, `news` and `entries` are as far as
 * that has come. No drawing here. */
import type { DeckSight, Hint, News, Options, Played, Preview, Server, Verdict } from "$/games/game";
import { MOMENT, Pace, THOUGHT } from "$/table/pace.svelte";
import { Seen } from "$/table/seen";
import { settings } from "$/table/settings.svelte";
import { moverOf } from "$/table/trace";
import { waiting } from "$/told/waiting.svelte";
import { reader, t } from "$/words";
import { ask, askAgain, newName, query, Refused, Unreachable } from "./client";
import type { ChatLine, Frame, Moment, TableSight, Told } from "./types";

export type Connection = "connecting" | "live" | "lost" | "gone" | "missing";

const FIRST_WAIT = 400;
const LONGEST_WAIT = 15_000;
/** So often the server hears that somebody is here. */
const HERE_EVERY = 60_000;
const ACTS = ["pointerdown", "keydown"] as const;
/** Losing the network for a moment is not worth a word. */
const PATIENCE = 1500;
/** What came at once is taken apart into so many things at the most; what was before them is seen at once. */
const MOST_APART = 8;
/** So long nothing may come before the server is asked whether it is there, so long its answer may take before
 * that is said, and so long more before another socket is tried: a network can go without a word. */
const QUIET = 1400;
const ANSWER = 1300;
const GIVE_UP = 6000;
/** Whoever comes back reads first that something happened. */
const GREETING = 1400;

type TableFrame = Extract<Frame, { type: "table" }>;
/** Of a match that has ended, with its whole log. */
type LoggedFrame = TableFrame & { log?: Told[] };

export class LiveTable {
  sight: TableSight | null = $state.raw(null);
  deck: DeckSight | null = $state.raw(null);
  /** What the last frame told; nothing at the first sight, which is no news. */
  news: News[] = $state.raw([]);
  entries: Told[] = $state.raw([]);
  chat: ChatLine[] = $state.raw([]);
  connection: Connection = $state("connecting");
  /** Why nothing comes any more, or the table is not shown: the server's word for it. */
  reason = $state("");
  /** How many moves were made since this player was here last, while they are being shown. */
  missed = $state(0);
  /** How long the game takes to show what these entries tell, in milliseconds of calm. */
  lasts: (news: News[]) => number = () => MOMENT;

  /** Nobody waits for what nobody sees. */
  readonly #pace: Pace<LoggedFrame> = new Pace(
    (frame) => this.#show(frame),
    () => settings.speed === "none" || document.visibilityState === "hidden",
  );
  /** The last entry that came, shown or not. */
  #heard = 0;
  #newest = 0;
  /** How many entries that came had events. */
  #eventful = 0;
  #over = false;
  /** Frames that are being taken apart, in their order. */
  #apart: Promise<void> | null = null;

  #socket: WebSocket | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #hush: ReturnType<typeof setTimeout> | undefined;
  #pulse: ReturnType<typeof setTimeout> | undefined;
  #seen: Seen | null = null;
  #wait = FIRST_WAIT;
  #language = reader.language;
  #closed = false;
  /** The socket has sent all of the chat it will send again after a reconnect. */
  #fresh = true;
  /** When the server was last told that somebody is here. */
  #said = 0;
  #wake = () => {
    if (document.visibilityState !== "visible") {
      if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send("away");
      this.#said = 0;
      this.#seen?.flush();
      return;
    }
    this.#here();
    if (this.#socket === null) this.#connect();
    else this.#feel(this.#socket);
    this.#remember();
  };
  /** Somebody does something here: then nobody needs to be told of this table elsewhere. */
  #here = () => {
    if (document.visibilityState !== "visible" || this.#socket?.readyState !== WebSocket.OPEN) return;
    if (Date.now() - this.#said < HERE_EVERY) return;
    this.#said = Date.now();
    this.#socket.send("here");
  };
  /** The browser says that there is no network, long before the socket notices. */
  #cut = () => {
    this.#socket?.close();
    this.connection = "lost";
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

  /** Something has come that is not shown yet: nobody is asked for a move before it is. */
  get behind(): boolean {
    return this.#pace.behind;
  }

  /** Everything that waits, at once. */
  skip(): void {
    this.#pace.skip();
  }

  async open(): Promise<void> {
    addEventListener("online", this.#wake);
    addEventListener("offline", this.#cut);
    document.addEventListener("visibilitychange", this.#wake);
    for (const act of ACTS) document.addEventListener(act, this.#here);
    try {
      const sight = await askAgain<TableSight>("GET", `${this.path}${this.#asked()}`);
      if (this.#closed) return;
      const [log] = await Promise.all([sight.view === null ? [] : this.#readLog(), this.readDeck(), this.seenBy(sight).bring()]);
      await this.#welcome(sight, log);
    } catch (error) {
      if (error instanceof Refused) this.reason = error.code;
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

  async #readLog(): Promise<Told[]> {
    return (await askAgain<{ entries: Told[] }>("GET", `${this.path}/log${this.#asked()}`)).entries;
  }

  /** The first sight: as it is now, or as this player left it, with what came since still to be shown. */
  async #welcome(sight: TableSight, log: Told[]): Promise<void> {
    this.#heard = log.at(-1)?.number ?? 0;
    this.#newest = sight.version;
    this.#eventful = log.filter((entry) => entry.events.length > 0).length;
    this.#over = sight.outcome !== null;
    const left = isFollowed(sight) ? this.seenBy(sight).entry : null;
    const missed = left === null ? [] : log.filter((entry) => entry.number > left);
    const others = missed.filter((entry) => moverOf(entry) !== sight.you);
    const frames = others.length === 0 ? [] : await this.#inPieces({ type: "table", table: sight, told: missed }, left ?? 0);
    if (this.#closed) return;
    const [first, ...rest] = frames;
    if (first === undefined || rest.length === 0) {
      [this.sight, this.entries] = [sight, log];
      this.#remember();
      return;
    }
    this.sight = first.table;
    this.entries = log.filter((entry) => !rest.some((frame) => frame.told.includes(entry)));
    this.missed = rest.length;
    this.#pace.hold(GREETING);
    for (const frame of rest) this.#line(frame);
  }

  /** How far this viewer has seen it; at one screen, all who sit there. */
  seenBy(sight: TableSight): Seen {
    const key = `${this.id} ${sight.hot_seat ? "" : (sight.you ?? "")}`;
    if (this.#seen?.key === key) return this.#seen;
    const isPlayer = sight.you !== null || sight.seats.some((seat) => seat.is_yours);
    return (this.#seen = new Seen(key, isPlayer ? `${this.path}/seen` : null));
  }

  /** What is on the screen while somebody looks has been seen. */
  #remember(): void {
    const last = this.entries.at(-1);
    if (this.sight === null || !isFollowed(this.sight) || last === undefined || document.visibilityState === "hidden") return;
    this.seenBy(this.sight).saw({ entry: last.number });
  }

  /** Several entries at once, as one frame for each, with the table as it was between them; the first is
   * the table before them all, after entry `since`. Where that cannot be had it is shown in one piece. */
  async #inPieces(frame: TableFrame, since: number): Promise<TableFrame[]> {
    const { table, told } = frame;
    const from = told.length > MOST_APART ? told.length - MOST_APART : 0;
    const before = from === 0 ? since : (told[from - 1]?.number ?? since);
    const apart = told.slice(from);
    try {
      const numbers = [before, ...apart.slice(0, -1).map((entry) => entry.number)];
      const moments = await Promise.all(numbers.map((number) => ask<Moment>("GET", `${this.path}/at/${number}${this.#asked({ viewer: table.you ?? "" })}`)));
      const then = (moment: Moment): TableSight => ({
        ...table,
        view: moment.view,
        version: moment.number,
        to_act: (moment.view as { to_act?: string[] }).to_act ?? [],
        outcome: null,
        offers: [],
      });
      return [
        { type: "table", table: then(moments[0]!), told: told.slice(0, from) },
        ...apart.map((entry, place): TableFrame => {
          const moment = moments[place + 1];
          return { type: "table", table: moment === undefined ? table : then(moment), told: [entry] };
        }),
      ];
    } catch {
      return [frame];
    }
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#hush);
    clearTimeout(this.#pulse);
    this.#seen?.flush();
    this.#pace.close();
    removeEventListener("online", this.#wake);
    removeEventListener("offline", this.#cut);
    document.removeEventListener("visibilitychange", this.#wake);
    for (const act of ACTS) document.removeEventListener(act, this.#here);
    this.#socket?.close();
    this.#socket = null;
  }

  #connect(): void {
    if (this.#closed || this.#socket !== null) return;
    clearTimeout(this.#retry);
    this.#language = reader.language;
    const version = this.#heard;
    const address = `${this.path}/live${this.#asked({ version, language: reader.language })}`;
    const socket = new WebSocket(new URL(address.replace(/^/, location.origin.replace(/^http/, "ws"))));
    this.#socket = socket;
    this.#fresh = true;
    socket.onopen = () => {
      this.#wait = FIRST_WAIT;
      clearTimeout(this.#hush);
      this.#hush = undefined;
      this.connection = "live";
      this.#said = 0;
      this.#here();
      this.#stir(socket);
    };
    socket.onmessage = (message: MessageEvent<string>) => {
      this.#stir(socket);
      this.hear(JSON.parse(message.data) as Frame);
    };
    socket.onclose = () => this.#leave(socket);
  }

  #leave(socket: WebSocket): void {
    if (this.#socket !== socket) return;
    this.#socket = null;
    clearTimeout(this.#pulse);
    if (this.#closed || this.connection === "gone") return;
    this.#hush ??= setTimeout(() => (this.connection = "lost"), PATIENCE);
    this.#retry = setTimeout(() => this.#connect(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  /** Something has come: the network is there. */
  #stir(socket: WebSocket): void {
    if (this.#socket !== socket) return;
    if (this.connection === "lost") this.connection = "live";
    clearTimeout(this.#pulse);
    this.#pulse = setTimeout(() => this.#feel(socket), QUIET);
  }

  /** Whether the server is still there, while somebody looks; a socket does not notice by itself for minutes. */
  #feel(socket: WebSocket): void {
    clearTimeout(this.#pulse);
    if (document.visibilityState !== "visible" || socket.readyState !== WebSocket.OPEN) return;
    socket.send("ping");
    this.#pulse = setTimeout(() => {
      this.connection = "lost";
      this.#pulse = setTimeout(() => {
        this.#leave(socket);
        socket.close();
      }, GIVE_UP);
    }, ANSWER);
  }

  /** A frame, from the socket or a test. Frames come in order; one that tells nothing new changes nothing. */
  hear(frame: Frame): void {
    if (frame.type === "gone") {
      // Too slow is cured by coming back; signed out is not.
      if (frame.reason !== "too slow") [this.connection, this.reason] = ["gone", frame.reason];
      return;
    }
    if (frame.type === "pong") return;
    waiting.soon();
    if (frame.type === "chat") {
      this.chat = this.#fresh ? frame.lines : [...this.chat, ...frame.lines];
      this.#fresh = false;
      return;
    }
    // Once a match is over all orders are open, and the log is numbered anew: then entries come that caused nothing.
    if (frame.table.outcome !== null && !this.#over) {
      this.#over = true;
      if (this.#heard > 0 && frame.told.some((entry) => entry.events.length === 0)) {
        void this.#readOpenLog(frame).catch(() => this.#take(frame));
        return;
      }
    }
    this.#take(frame);
  }

  /** The log of a match that has just ended. News are the entries after those whose events were told before: orders
   * that were sealed until now have caused none by themselves. */
  async #readOpenLog(frame: TableFrame): Promise<void> {
    const log = await this.#readLog();
    let known = this.#eventful;
    this.#heard = 0;
    this.#take({ ...frame, told: log.filter((entry) => entry.events.length > 0 && --known < 0), log });
    this.#heard = log.at(-1)?.number ?? 0;
  }

  #take(frame: LoggedFrame): void {
    const told = frame.told.filter((entry) => entry.number > this.#heard);
    this.#heard = told.at(-1)?.number ?? this.#heard;
    this.#eventful += told.filter((entry) => entry.events.length > 0).length;
    this.#newest = Math.max(this.#newest, frame.table.version);
    const mine = { ...frame, told };
    const isFirst = this.sight === null || this.sight.view === null;
    if (this.#apart === null && (isFirst || told.length < 2 || settings.speed === "none")) {
      this.#line(mine);
      return;
    }
    const since = (told[0]?.number ?? 1) - 1;
    const turn = (this.#apart ?? Promise.resolve()).then(async () => {
      const pieces = told.length < 2 ? [mine] : await this.#inPieces(mine, since);
      // The first piece is the table before it all, which is on the screen already.
      const shown = pieces.length > 1 ? pieces.slice(1) : pieces;
      shown.forEach((piece, place) => this.#line(place === shown.length - 1 && mine.log ? { ...piece, log: mine.log } : piece));
      if (this.#apart === turn) this.#apart = null;
    });
    this.#apart = turn;
  }

  #line(frame: LoggedFrame): void {
    const [first] = frame.told;
    const isOwn = first !== undefined && moverOf(first) === frame.table.you;
    // Who plays against a clock has no time to lose.
    const isTimed = frame.table.clock.kind === "live";
    const after = first === undefined ? null : isOwn || isTimed ? 0 : THOUGHT;
    if (first === undefined || frame.table.outcome === null) {
      this.#pace.push(frame, after);
      return;
    }
    // How it ended comes after the move that ended it has been seen.
    this.#pace.push({ ...frame, table: { ...frame.table, outcome: null } }, after);
    this.#pace.push({ ...frame, told: [] }, 0);
  }

  #show(frame: LoggedFrame): number {
    if (this.#closed) return 0;
    const isFirst = this.sight?.view == null;
    this.sight = frame.table;
    if (!this.#pace.behind) this.missed = 0;
    if (frame.told.length === 0) return 0;
    this.entries = frame.log ?? [...this.entries, ...frame.told];
    this.#remember();
    if (isFirst) return 0;
    this.news = frame.told;
    return this.lasts(frame.told);
  }

  // -- What a seat may ask -------------------------------------------------------------------

  readonly server: Server = {
    options: (steps) => askAgain<Options>("POST", `${this.path}/options${this.#asked()}`, { steps }),
    preview: (move) => askAgain<Preview>("POST", `${this.path}/preview${this.#asked()}`, { move }),
    why: (move) => askAgain<Verdict>("POST", `${this.path}/why${this.#asked()}`, { move }),
    play: (move, ready) => this.#play(move, ready),
  };

  async #play(move: string, ready?: boolean): Promise<Played> {
    const body = { move, version: this.sight?.version ?? 0, submission: newName(), ...(ready === undefined ? {} : { ready }) };
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
    const before = this.#newest;
    const [sight, log] = await Promise.all([
      askAgain<TableSight>("GET", `${this.path}${this.#asked()}`),
      askAgain<{ entries: Told[] }>("GET", `${this.path}/log${this.#asked()}`).catch(() => ({ entries: [] })),
    ]);
    // The socket may have told more since this was asked for: an older table does not come back.
    if (this.#newest !== before && sight.version < this.#newest) return;
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

/** Whether it matters how far somebody has seen: of a player it does. Where several sit at one screen it is
 * shown to all of them, through nobody's eyes, before the next sits down. */
function isFollowed(sight: TableSight): boolean {
  return sight.hot_seat ? sight.you === null : sight.you !== null;
}

/** A refusal or a lost network in words for the reader. */
export function inWords(error: unknown): string {
  if (error instanceof Refused) return error.clause === "" ? error.reason : `${error.reason} (${error.clause})`;
  if (error instanceof Unreachable) return t("trouble.unreachable");
  return t("trouble.unknown");
}
