import { expect, test } from "vitest";
import { pairOf, squares, tapped, written, type OfficeForm } from "./form";

const card = (id: string, pattern?: string[]) => ({ id, kind: "project", colour: "dark" as const, title: id, text: "", ...(pattern ? { pattern } : {}) });
const form: OfficeForm = { title: "", cards: [card("P01d", ["DD", "DL"]), card("M01d"), card("P01l", ["LL", "LD"])] };

test("a square goes on by a tap, and the twin has it reversed", () => {
  expect(pairOf(form, 2)).toEqual([0, 2]);
  const once = tapped(form, 0, 2, 2);
  expect(once.cards[0]?.pattern).toEqual(["DD.", "DL.", "..D"]);
  expect(once.cards[2]?.pattern).toEqual(["LL.", "LD.", "..L"]);
  const back = tapped(once, 2, 2, 2);
  expect(back.cards[2]?.pattern?.[2]).toBe("...");
  expect(back.cards[0]?.pattern?.[2]).toBe("...");
  expect(form.cards[0]?.pattern).toEqual(["DD", "DL"]);
});

test("what is blank is nine squares, and words are one card's", () => {
  expect(squares(undefined)).toEqual(["...", "...", "..."]);
  const named = written(form, 0, "title", "Desk");
  expect(named.cards.map((one) => one.title)).toEqual(["Desk", "M01d", "P01l"]);
});
