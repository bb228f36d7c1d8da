import { expect, test } from "vitest";
import type { DeckSight } from "../../game";
import { describe, lines } from "./text";

const card = { name: "b5", title: "Best Offer", back: "light", value: 5, drawing: [], text: "", quip: "", worths: {} };
const deck: DeckSight = { name: "d", title: "D", hash: "", cards: { b5: card } };

test("a view is told line by line, cards with their titles, nothing for nothing", () => {
  const view = { viewer: null, hand: ["b5", "?"], left: 2, won: { A: ["b5"], B: [] } };
  expect(lines(view, deck)).toEqual([
    { name: "hand", text: "b5 (Best Offer), ?" },
    { name: "left", text: "2" },
    { name: "won", text: "A b5 (Best Offer); B " },
  ]);
  expect(describe(view, deck)).toContain("hand: b5 (Best Offer), ?.");
});

test("what is no view has no lines", () => {
  expect(lines(null, deck)).toEqual([]);
});
