import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Pace, THOUGHT } from "./pace.svelte";
import { moverOf, traceOf } from "./trace";

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
});
afterEach(() => vi.useRealTimers());

test("a free stage is used at once; what follows waits until that has been seen, and thinks", () => {
  const shown: string[] = [];
  const pace = new Pace<string>((item) => {
    shown.push(item);
    return 500;
  });
  pace.push("mine", 0);
  expect(shown).toEqual(["mine"]);
  pace.push("theirs", THOUGHT);
  pace.push("a clock", null);
  expect(pace.behind).toBe(true);
  vi.advanceTimersByTime(1099);
  expect(shown).toEqual(["mine"]);
  vi.advanceTimersByTime(2);
  expect(shown).toEqual(["mine", "theirs", "a clock"]);
  expect(pace.behind).toBe(false);
  vi.advanceTimersByTime(5000);
  pace.push("later", THOUGHT);
  expect(shown.at(-1)).toBe("later");
  pace.close();
});

test("what holds up nothing is shown while the stage is busy, but never before what came first", () => {
  const shown: string[] = [];
  const pace = new Pace<string>((item) => {
    shown.push(item);
    return item === "a clock" ? 0 : 500;
  });
  pace.push("mine", 0);
  pace.push("a clock", null);
  expect(shown).toEqual(["mine", "a clock"]);
  // It has not made the stage free.
  pace.push("theirs", THOUGHT);
  vi.advanceTimersByTime(1000);
  expect(shown).toHaveLength(2);
  pace.skip();
  expect(shown.at(-1)).toBe("theirs");
  pace.close();
});

test("who hurries waits for nothing", () => {
  const shown: number[] = [];
  const pace = new Pace<number>(
    (item) => shown.push(item) * 500,
    () => true,
  );
  for (const item of [1, 2, 3]) pace.push(item, THOUGHT);
  expect(shown).toEqual([1, 2, 3]);
});

test("the trace is what came since my last move, and that move while nothing has", () => {
  const entries = ["1. A place", "2. B hire", "3. B place", "4. - drawn"].map((text, place) => ({ number: place + 1, text, events: [] }));
  expect(moverOf(entries[3]!)).toBe(null);
  expect(traceOf(entries, "A").map((one) => one.number)).toEqual([2, 3, 4]);
  expect(traceOf(entries.slice(0, 1), "A").map((one) => one.number)).toEqual([1]);
  expect(traceOf(entries, null).map((one) => one.number)).toEqual([4]);
  expect(traceOf([], "A")).toEqual([]);
});
