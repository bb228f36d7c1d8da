import { describe, expect, it } from "vitest";
import fixture from "./fixture.json";
import { formatOrders, noOrders, parseOrders } from "./orders";

describe("orders", () => {
  it("are written as the server writes them", () => {
    const texts = fixture.views.flatMap((view) => view.history.flatMap((turn) => Object.values(turn.orders)));
    const given = texts.filter((text) => text !== null);
    expect(given.length).toBeGreaterThan(10);
    for (const text of given) expect(formatOrders(parseOrders(text))).toBe(text);
  });
  it("may be nothing", () => {
    expect(formatOrders(noOrders())).toBe("nothing");
    expect(parseOrders("nothing")).toEqual(noOrders());
  });
  it("may leave out a part or a phase", () => {
    const orders = parseOrders("1: card 23 E3S2 turn 1 employee E4S2; 3: employee W1");
    expect(orders[0]).toEqual({ card: { card: "23", square: { x: 3, y: 2 }, turn: 1 }, employee: { x: 4, y: 2 } });
    expect(orders[1]).toEqual({ card: null, employee: null });
    expect(orders[2]).toEqual({ card: null, employee: { x: -1, y: 0 } });
  });
});
