import { expect, test } from "vitest";
import { added, faceOf, painted, removed, resized, valued, type FarmForm } from "./form";

const form: FarmForm = {
  title: "",
  cards: [{ number: 7, title: "Lift", text: "Up.", drawing: ["+-+ +", "|E . ", "+ + +"] }],
  values: { shredder: 4 },
  squares: { ".": { kind: "floor", worth: 0 }, E: { kind: "elevator", worth: 0 }, D: { kind: "shredder", worth: 4 } },
  least_value: 1,
  most_value: 9,
  most_side: 4,
  most_cards: 200,
};
const drawing = (one: FarmForm, place = 0) => one.cards[place]?.drawing;

test("a square takes what is chosen, an edge is a wall or open", () => {
  expect(drawing(painted(form, 0, 3, 1, "D"))).toEqual(["+-+ +", "|E D ", "+ + +"]);
  const walled = painted(form, 0, 2, 1, "D");
  expect(drawing(walled)).toEqual(["+-+ +", "|E|. ", "+ + +"]);
  expect(drawing(painted(walled, 0, 2, 1, "D"))).toEqual(form.cards[0]?.drawing);
  expect(drawing(painted(form, 0, 1, 0, "D"))?.[0]).toBe("+ + +");
});

test("a card grows by floor and shrinks, within its limits", () => {
  const large = resized(form, 0, 3, 2);
  expect(drawing(large)).toEqual(["+-+ + +", "|E . . ", "+ + + +", " . . . ", "+ + + +"]);
  expect(drawing(resized(large, 0, 2, 1))).toEqual(form.cards[0]?.drawing);
  expect(resized(form, 0, 5, 1)).toBe(form);
  expect(resized(form, 0, 0, 1)).toBe(form);
});

test("cards are added under a number of their own, and removed", () => {
  const two = added(form);
  expect(two.cards.map((card) => card.number)).toEqual([7, 8]);
  expect(drawing(two, 1)).toHaveLength(5);
  expect(drawing(added(form, form.cards[0]), 1)).toEqual(drawing(form));
  expect(removed(two, 0).cards.map((card) => card.number)).toEqual([8]);
});

test("what a machine is worth stands on every card", () => {
  const card = form.cards[0];
  if (card) expect(faceOf(valued(form, "shredder", 9), card).worths["D"]).toBe(9);
});
