import { expect, test } from "vitest";
import { nextSeat } from "./handover";

test("whoever can act and has not yet sits down next", () => {
  expect(nextSeat(["A", "B"], ["B"], ["A"])).toBe("B");
  expect(nextSeat(["A", "B", "C"], ["A", "B", "C"], ["A"])).toBe("B");
  expect(nextSeat(["A", "B", "C"], ["A", "B", "C"], ["A", "B"])).toBe("C");
});

test("a second move of the same seat needs no hand-over, and a new round begins anew", () => {
  expect(nextSeat(["A", "B"], ["A"], ["A"])).toBe("A");
  expect(nextSeat(["A", "B"], ["A", "B"], ["A", "B"])).toBe("A");
});

test("while only others can act nobody sits down", () => {
  expect(nextSeat(["A", "B"], ["C"], [])).toBeNull();
});
