import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { session } from "$/api/me.svelte";
import type { Me, Waiting } from "$/api/types";
import { router } from "$/router.svelte";
import { waiting } from "./waiting.svelte";

const rung: string[] = [];
vi.mock("$/table/synth", () => ({ play: (name: string) => rung.push(name) }));

const one = (table: string): Waiting => ({ table, game: "g", title: "Game", due_at: null });
let list: Waiting[] = [];
let here: Record<string, unknown> = {};
let stop = () => {};

beforeEach(() => {
  vi.useFakeTimers();
  document.head.innerHTML = '<title>Page</title><link rel="icon" href="/icon.svg" />';
  session.is({ wishes: { turn: true, browser: "now", bell: false } } as Me);
  vi.stubGlobal("fetch", async (path: string) => {
    const said = path === "/api/me/waiting" ? list : (here[path] ?? {});
    return new Response(JSON.stringify(said), { headers: { "content-type": "application/json" } });
  });
  list = [one("a"), one("b")];
  here = {};
  rung.length = 0;
  stop = waiting.start();
});
afterEach(() => {
  stop();
  session.is(null);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const icon = () => document.querySelector("link")?.getAttribute("href");

test("title and icon carry how many games wait", async () => {
  await vi.advanceTimersByTimeAsync(10);
  expect([document.title, icon()]).toEqual(["(2) Page", "/icon-2.svg"]);
  document.title = "Another page";
  await vi.advanceTimersByTimeAsync(10);
  expect(document.title).toBe("(2) Another page");
  list = Array.from({ length: 12 }, (_, n) => one(`t${n}`));
  waiting.soon();
  await vi.advanceTimersByTimeAsync(1000);
  expect([document.title, icon()]).toEqual(["(12) Another page", "/icon-10.svg"]);
  list = [];
  await vi.advanceTimersByTimeAsync(46_000);
  expect([document.title, icon()]).toEqual(["Another page", "/icon.svg"]);
});

test("who signs out leaves no number behind", async () => {
  await vi.advanceTimersByTimeAsync(10);
  expect(document.title).toBe("(2) Page");
  stop();
  expect([document.title, icon(), waiting.count]).toEqual(["Page", "/icon.svg", 0]);
});

test("the next game is another than the one on the screen", async () => {
  await vi.advanceTimersByTimeAsync(10);
  expect(waiting.next(undefined)?.table).toBe("a");
  expect(waiting.next("a")?.table).toBe("b");
  list = [one("a")];
  await waiting.look();
  expect(waiting.next("a")).toBe(undefined);
});

test("what begins to wait is told while nobody looks, as it is wished for", async () => {
  const shown: string[] = [];
  class Notice {
    static permission = "granted";
    constructor(_title: string, options: { tag: string }) {
      shown.push(options.tag);
    }
  }
  vi.stubGlobal("Notification", Notice);
  await vi.advanceTimersByTimeAsync(10);
  expect(shown).toEqual([]);
  list = [...list, one("c")];
  await waiting.look();
  await vi.advanceTimersByTimeAsync(10);
  expect(shown).toEqual([]);
  const looks = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  list = [...list, one("d")];
  await waiting.look();
  await vi.advanceTimersByTimeAsync(10);
  expect(shown).toEqual(["d"]);
  session.is({ wishes: { turn: true, browser: "never", bell: false } } as Me);
  list = [...list, one("e")];
  await waiting.look();
  await vi.advanceTimersByTimeAsync(10);
  expect(shown).toEqual(["d"]);
  looks.mockRestore();
});

test("a bell rings if it is wished for, and only for what is new", async () => {
  session.is({ wishes: { turn: true, browser: "never", bell: true } } as Me);
  await vi.advanceTimersByTimeAsync(10);
  expect(rung).toEqual([]);
  list = [...list, one("c")];
  await waiting.look();
  await vi.waitFor(() => expect(rung).toEqual(["bell"]));
});

test("a bell is silent for the table that is looked at, which rings by itself, and for one that is to tell nothing", async () => {
  session.is({ wishes: { turn: true, browser: "now", bell: true } } as Me);
  await vi.advanceTimersByTimeAsync(10);
  router.go("/table/c");
  here = { "/api/tables/d/wishes": { browser: "never" } };
  list = [...list, one("c"), one("d")];
  await waiting.look();
  await vi.dynamicImportSettled();
  expect(rung).toEqual([]);
  list = [...list, one("e"), one("f")];
  await waiting.look();
  await vi.waitFor(() => expect(rung).toEqual(["bell"]));
  // Of a page that nobody looks at only this rings.
  const looks = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  list = list.filter((other) => other.table !== "c");
  await waiting.look();
  list = [...list, one("c")];
  await waiting.look();
  await vi.waitFor(() => expect(rung).toEqual(["bell", "bell"]));
  looks.mockRestore();
  router.go("/");
});
