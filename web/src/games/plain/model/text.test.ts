import { expect, test } from "vitest";
import type { DeckSight } from "../../game";
import { describe, rows, titled, type Scene } from "./text";

const card = { name: "b5", title: "Best Offer", back: "light", value: 5, drawing: [], text: "", quip: "", worths: {} };
const deck: DeckSight = { name: "d", title: "D", hash: "", cards: { b5: card } };
const tile = { kind: "dark", label: "", walls: "", mark: "" };
const scene: Scene = {
  title: "Sealed Tender",
  boards: [{ title: "Office", tiles: [{ ...tile, x: -1, y: 0 }, { ...tile, x: 0, y: 1, label: "Q" }], legend: { dark: "dark cubicle" } }],
  panels: [{ title: "Your hand", cards: [card, { ...card, name: "", title: "" }], note: "sealed: b5", is_private: true }],
  status: ["Round 2"],
  standings: ["A: 1 contract, 2 bids in hand"],
  key: [],
};

test("a scene is told in the game's own words, and what is hidden by a word for it", () => {
  expect(describe({ scene }, "face down").split("\n")).toEqual([
    "Round 2",
    "Office:",
    "dark cubicle | -",
    "- | Q",
    "Your hand: b5 (Best Offer), face down; sealed: b5.",
    "A: 1 contract, 2 bids in hand.",
  ]);
});

test("a board begins at its north-west corner", () => {
  expect(rows(scene.boards[0]!)).toEqual([["dark cubicle", ""], ["", "Q"]]);
});

test("a step that is a card is named with its title", () => {
  expect(titled("b5", deck)).toBe("b5 (Best Offer)");
  expect(titled("ask", deck)).toBe("ask");
});
