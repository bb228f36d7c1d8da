import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Seen } from "./seen";

/** What the server keeps, and what it was sent. */
let kept = { entry: 0, turn: 0 };
const sent: unknown[] = [];
let isThere = true;

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
  [kept, isThere] = [{ entry: 0, turn: 0 }, true];
  sent.length = 0;
  vi.stubGlobal("fetch", async (_: string, { method, body }: { method: string; body?: string }) => {
    if (!isThere) throw new TypeError("no network");
    if (method === "PUT") sent.push((kept = JSON.parse(body ?? "") as typeof kept));
    return new Response(JSON.stringify(kept), { headers: { "content-type": "application/json" } });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("how far a table was seen is remembered, for a number of tables", () => {
  const seen = new Seen("t A");
  expect([seen.entry, seen.turn]).toEqual([null, null]);
  seen.saw({ entry: 4 });
  expect([seen.entry, seen.turn]).toEqual([4, null]);
  for (let i = 0; i < 60; i += 1) new Seen(`other ${i}`).saw({ entry: 1 });
  expect(seen.entry).toBe(null);
  expect(new Seen("other 59").entry).toBe(1);
});

test("another device goes on where this one has been", async () => {
  const seen = new Seen("t A", "/seen");
  await seen.bring();
  expect(seen.entry).toBe(null);
  // Several moves are one request, soon after the last.
  for (const entry of [3, 4, 5]) seen.saw({ entry });
  seen.saw({ turn: 1 });
  await vi.advanceTimersByTimeAsync(2000);
  expect(sent).toEqual([{ entry: 5, turn: 1 }]);
  seen.saw({ entry: 5, turn: 1 });
  await vi.advanceTimersByTimeAsync(2000);
  expect(sent.length).toBe(1);
  localStorage.clear();
  const other = new Seen("t A", "/seen");
  await other.bring();
  expect([other.entry, other.turn]).toEqual([5, 1]);
  // Where this device has seen more already, that counts.
  other.saw({ entry: 9 });
  await other.bring();
  expect(other.entry).toBe(9);
});

test("what does not arrive goes when the page does, or later", async () => {
  const seen = new Seen("t A", "/seen");
  isThere = false;
  seen.saw({ entry: 2 });
  await vi.advanceTimersByTimeAsync(2000);
  expect(sent).toEqual([]);
  isThere = true;
  seen.flush();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual([{ entry: 2, turn: 0 }]);
  seen.flush();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent.length).toBe(1);
});

test("who holds no seat is followed by no server", async () => {
  const seen = new Seen("t ");
  await seen.bring();
  seen.saw({ turn: 1 });
  await vi.advanceTimersByTimeAsync(2000);
  expect(sent).toEqual([]);
  expect(seen.turn).toBe(1);
});
