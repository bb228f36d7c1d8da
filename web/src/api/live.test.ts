import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Refused } from "./client";
import { LiveTable } from "./live.svelte";
import type { Frame, TableSight, Told } from "./types";

const entry = (number: number): Told => ({ number, text: `${number}. ${number % 2 === 1 ? "A" : "B"} place`, events: [] });
const sight = (version: number): TableSight => ({ id: "t", you: "A", version, view: { version }, to_act: [], seats: [], hot_seat: false, outcome: null, clock: { kind: "none" } }) as unknown as TableSight;
const frame = (version: number, ...told: number[]): Frame => ({ type: "table", table: sight(version), told: told.map(entry) });

class FakeSocket {
  static all: FakeSocket[] = [];
  onopen = () => {};
  onclose = () => {};
  onmessage = (_: { data: string }) => {};
  constructor(readonly address: URL) {
    FakeSocket.all.push(this);
  }
  close() {
    this.onclose();
  }
  static OPEN = 1;
  readyState = 1;
  sent: string[] = [];
  isSilent = false;
  send(text: string) {
    if (text !== "ping") this.sent.push(text);
    else if (!this.isSilent) queueMicrotask(() => this.tell({ type: "pong" }));
  }
  tell(frame: Frame) {
    this.onmessage({ data: JSON.stringify(frame) });
  }
}

/** What the server answers to each path, in turn. */
let answers: Record<string, (() => Response | Promise<Response>)[]> = {};
const json = (data: unknown, status = 200) => () =>
  new Response(JSON.stringify(data), { status, headers: { "content-type": "application/json" } });
const asked: { path: string; body: unknown }[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  FakeSocket.all = [];
  asked.length = 0;
  answers = {
    "/api/tables/t": [json(sight(2))],
    "/api/tables/t/deck": [json({ cards: {} })],
    "/api/tables/t/log": [json({ entries: [entry(1), entry(2)] })],
  };
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", async (path: string, options: { body?: string }) => {
    asked.push({ path, body: options.body === undefined ? undefined : JSON.parse(options.body) });
    const left = answers[path.split("?")[0] ?? ""] ?? [];
    const answer = left.length > 1 ? left.shift() : left[0];
    if (answer === undefined) throw new TypeError("no network");
    return answer();
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function opened(): Promise<{ table: LiveTable; socket: FakeSocket }> {
  const table = new LiveTable("t", "", "");
  await table.open();
  const socket = FakeSocket.all[0]!;
  socket.onopen();
  return { table, socket };
}

test("the first sight is no news, what comes later is", async () => {
  const { table, socket } = await opened();
  socket.tell(frame(2));
  expect(table.news).toEqual([]);
  expect(table.entries).toHaveLength(2);
  socket.tell(frame(3, 3));
  expect(table.news.map((one) => one.number)).toEqual([3]);
  expect(table.sight?.version).toBe(3);
  table.close();
});

test("after a lost connection it asks for what it has not seen, and tells nothing twice", async () => {
  const { table, socket } = await opened();
  socket.close();
  expect(table.connection).toBe("live"); // a moment is not worth a word
  await vi.advanceTimersByTimeAsync(1600);
  expect(table.connection).toBe("lost");
  const second = FakeSocket.all[1]!;
  expect(second.address.searchParams.get("version")).toBe("2");
  second.onopen();
  // How it was in between cannot be had: it is shown in one piece.
  second.tell(frame(5, 2, 3, 4, 5));
  await vi.advanceTimersByTimeAsync(10);
  expect(table.connection).toBe("live");
  expect(table.entries.map((one) => one.number)).toEqual([1, 2, 3, 4, 5]);
  expect(table.news.map((one) => one.number)).toEqual([3, 4, 5]);
  table.close();
});

test("when a match ends its log is numbered anew, and read anew", async () => {
  const told = (number: number, text: string, code?: string): Told => ({ number, text, events: code === undefined ? [] : [{ code, clause: "", params: {}, text: "" }] });
  const over = { ...sight(6), outcome: { winners: ["A"] } } as unknown as TableSight;
  answers["/api/tables/t"] = [json({ ...sight(2), outcome: null })];
  answers["/api/tables/t/log"] = [
    json({ entries: [told(1, "1. A bid b1"), told(2, "2. C seals the last bid", "next")] }),
    json({ entries: [told(1, "1. A bid b1"), told(2, "2. B bid b4"), told(3, "3. C bid b7", "next"), told(4, "4. A bid b2"), told(5, "5. B bid b5"), told(6, "6. C bid b8", "last")] }),
  ];
  const { table, socket } = await opened();
  // As the server sends it: all after number 2 of the open log.
  socket.tell({ type: "table", table: over, told: [told(3, "3. C bid b7", "next"), told(4, "4. A bid b2"), told(5, "5. B bid b5"), told(6, "6. C bid b8", "last")] });
  await vi.advanceTimersByTimeAsync(5000);
  expect(table.sight?.outcome).not.toBeNull();
  expect(table.entries.map((one) => one.text)).toEqual(["1. A bid b1", "2. B bid b4", "3. C bid b7", "4. A bid b2", "5. B bid b5", "6. C bid b8"]);
  expect(table.news.map((one) => one.number)).toEqual([6]);
  table.close();
});

test("the waits between two tries grow, and end with the table", async () => {
  const { table } = await opened();
  for (let tries = 1; tries < 5; tries++) {
    FakeSocket.all.at(-1)!.close();
    await vi.advanceTimersByTimeAsync(15_000 * 1.3);
  }
  expect(FakeSocket.all).toHaveLength(5);
  table.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(FakeSocket.all).toHaveLength(5);
});

test("a move whose answer was lost is sent again under the same name", async () => {
  const { table } = await opened();
  const lost = () => Promise.reject(new TypeError("no network"));
  answers["/api/tables/t/moves"] = [lost as never, json({ version: 3, move: "m", facts: [], events: [] })];
  const playing = table.server.play("m");
  await vi.advanceTimersByTimeAsync(1000);
  await playing;
  const sent = asked.filter((one) => one.path.endsWith("/moves")).map((one) => one.body as { submission: string; version: number });
  expect(sent).toHaveLength(2);
  expect(sent[0]?.submission).toBe(sent[1]?.submission);
  expect(sent[0]?.version).toBe(2);
  table.close();
});

test("a stale tab says so and catches up", async () => {
  const { table } = await opened();
  answers["/api/tables/t/moves"] = [json({ code: "stale", reason: "the table has changed", clause: "" }, 409)];
  answers["/api/tables/t"] = [json(sight(4))];
  answers["/api/tables/t/log"] = [json({ entries: [1, 2, 3, 4].map(entry) })];
  await expect(table.server.play("m")).rejects.toThrow(Refused);
  await vi.advanceTimersByTimeAsync(10);
  expect(table.sight?.version).toBe(4);
  expect(table.news.map((one) => one.number)).toEqual([3, 4]);
  table.close();
});

test("an answer that comes after a newer frame does not bring the old table back", async () => {
  const { table, socket } = await opened();
  let answer = () => {};
  const asked = new Promise<void>((done) => (answer = done));
  answers["/api/tables/t"] = [() => asked.then(json(sight(2)))];
  const refreshed = table.refresh();
  socket.tell(frame(3, 3));
  answer();
  await refreshed;
  expect(table.sight?.version).toBe(3);
  expect(table.entries.map((one) => one.number)).toEqual([1, 2, 3]);
  table.close();
});

test("a table that is not for us is missing, and nobody asks again", async () => {
  answers["/api/tables/t"] = [json({ code: "missing", reason: "not there", clause: "" }, 404)];
  const table = new LiveTable("t", "", "");
  await table.open();
  expect(table.connection).toBe("missing");
  expect(FakeSocket.all).toHaveLength(0);
});

test("chat comes whole after a reconnect, not twice", async () => {
  const { table, socket } = await opened();
  const line = (text: string) => ({ room: "seats", seat: "A", name: "Ann", text, at: 1 });
  socket.tell({ type: "chat", lines: [line("one")] } as Frame);
  socket.tell({ type: "chat", lines: [line("two")] } as Frame);
  socket.close();
  await vi.advanceTimersByTimeAsync(600);
  FakeSocket.all[1]!.tell({ type: "chat", lines: [line("one"), line("two"), line("three")] } as Frame);
  expect(table.chat.map((one) => one.text)).toEqual(["one", "two", "three"]);
  table.close();
});

test("a socket that goes silent is said to be lost within three seconds, and given up after some", async () => {
  const { table, socket } = await opened();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(table.connection).toBe("live");
  socket.isSilent = true;
  await vi.advanceTimersByTimeAsync(2900);
  expect(table.connection).toBe("lost");
  // It may only have been slow.
  socket.tell(frame(3, 3));
  expect(table.connection).toBe("live");
  await vi.advanceTimersByTimeAsync(2900);
  expect(table.connection).toBe("lost");
  expect(FakeSocket.all.length).toBe(1);
  await vi.advanceTimersByTimeAsync(8000);
  expect(FakeSocket.all.length).toBe(2);
  FakeSocket.all[1]!.onopen();
  expect(table.connection).toBe("live");
  table.close();
});

test("my move is seen alone before the other's comes, and nobody is asked in between", async () => {
  const { table, socket } = await opened();
  table.lasts = () => 900;
  socket.tell(frame(3, 3));
  expect(table.sight?.version).toBe(3);
  await vi.advanceTimersByTimeAsync(50);
  socket.tell(frame(4, 4));
  expect(table.behind).toBe(true);
  await vi.advanceTimersByTimeAsync(900 + 600 - 60);
  expect(table.sight?.version).toBe(3);
  expect(table.news.map((one) => one.number)).toEqual([3]);
  await vi.advanceTimersByTimeAsync(20);
  expect(table.sight?.version).toBe(4);
  expect(table.news.map((one) => one.number)).toEqual([4]);
  expect(table.behind).toBe(false);
  table.close();
});

test("two moves that came at once are shown one after the other, with the table between them", async () => {
  const { table, socket } = await opened();
  answers["/api/tables/t/at/2"] = [json({ number: 2, view: { at: 2 } })];
  answers["/api/tables/t/at/3"] = [json({ number: 3, view: { at: 3, to_act: ["B"] } })];
  socket.tell(frame(4, 3, 4));
  await vi.advanceTimersByTimeAsync(10);
  expect(table.sight?.view).toEqual({ at: 3, to_act: ["B"] });
  expect(table.sight?.to_act).toEqual(["B"]);
  expect(table.entries).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(3000);
  expect(table.sight?.version).toBe(4);
  expect(table.entries).toHaveLength(4);
  table.close();
});

test("who was away comes back to where they left, and sees what came since", async () => {
  localStorage.setItem("openplan.seen", JSON.stringify({ "t A": { entry: 1 } }));
  answers["/api/tables/t/at/1"] = [json({ number: 1, view: { at: 1 } })];
  const { table, socket } = await opened();
  socket.tell(frame(2));
  expect(table.sight?.view).toEqual({ at: 1 });
  expect(table.missed).toBe(1);
  expect(table.behind).toBe(true);
  await vi.advanceTimersByTimeAsync(5000);
  expect(table.sight?.version).toBe(2);
  expect(table.missed).toBe(0);
  expect(localStorage.getItem("openplan.seen")).toBe(JSON.stringify({ "t A": { entry: 2 } }));
  table.close();
});

test("what waits can be skipped", async () => {
  const { table, socket } = await opened();
  socket.tell(frame(3, 3));
  socket.tell(frame(4, 4));
  expect(table.sight?.version).toBe(3);
  table.skip();
  expect(table.sight?.version).toBe(4);
  expect(table.behind).toBe(false);
  table.close();
});

test("without a network it is said at once", async () => {
  const { table } = await opened();
  dispatchEvent(new Event("offline"));
  expect(table.connection).toBe("lost");
  table.close();
});

test("how it ended comes after the move that ended it", async () => {
  const { table, socket } = await opened();
  table.lasts = () => 900;
  const last = frame(3, 3) as Extract<Frame, { type: "table" }>;
  const told = last.told.map((one) => ({ ...one, events: [{ code: "placed", clause: "", params: {}, text: "" }] }));
  socket.tell({ ...last, told, table: { ...last.table, outcome: { winners: ["A"] } as TableSight["outcome"] } });
  expect(table.sight?.version).toBe(3);
  expect(table.sight?.outcome).toBe(null);
  await vi.advanceTimersByTimeAsync(890);
  expect(table.sight?.outcome).toBe(null);
  await vi.advanceTimersByTimeAsync(20);
  expect(table.sight?.outcome).not.toBe(null);
  table.close();
});

test("the server hears now and then that somebody is here, and when nobody looks", async () => {
  const { table, socket } = await opened();
  expect(socket.sent).toEqual(["here"]);
  document.dispatchEvent(new Event("pointerdown"));
  expect(socket.sent).toEqual(["here"]);
  await vi.advanceTimersByTimeAsync(61_000);
  expect(socket.sent).toEqual(["here"]);
  document.dispatchEvent(new Event("keydown"));
  expect(socket.sent).toEqual(["here", "here"]);
  const looks = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  document.dispatchEvent(new Event("visibilitychange"));
  document.dispatchEvent(new Event("pointerdown"));
  expect(socket.sent).toEqual(["here", "here", "away"]);
  looks.mockReturnValue("visible");
  document.dispatchEvent(new Event("visibilitychange"));
  expect(socket.sent.at(-1)).toBe("here");
  looks.mockRestore();
  table.close();
});
