import { expect, test } from "vitest";
import type { DeckSight, GameEvent, Step } from "../../game";
import { stepsOf } from "./choice.svelte";
import { arranged } from "./hand";
import { moveInWords, useInWords } from "./move";
import { scoresOf } from "./score";
import type { OfficeView } from "./view";

const face = (name: string, title: string, value: number | null = null) => ({ name, title, back: "", value, drawing: [], text: "", quip: "", worths: {} });
const deck = {
  cards: Object.fromEntries(
    [
      face("P15d", "Hot Desking", 4),
      face("P01l", "Corner Desk", 2),
      face("Q02l", "Clear Desk Policy", 5),
      face("X01d", "Crowdfunding Project", 1),
      face("X02l", "Overtime"),
      ...["Relocation", "Seat Swap", "Recruitment", "Shift", "Redundancy", "Replacement", "Multitasking", "Rehiring", "Postponement"].map((name, place) =>
        face(`M0${place + 1}d`, `${name} Manager`),
      ),
      face("X03d", "VP of Acquisitions", 3),
      face("X04d", "VP of Operations"),
    ].map((card) => [card.name, card]),
  ),
} as unknown as DeckSight;
const view = { phase: "turn" } as OfficeView;
const words = (move: string) => moveInWords(stepsOf(move), deck, view, "Clerk");

test("the last button names the move, whatever it is", () => {
  expect(words("place P15d E2")).toBe("Place Hot Desking, dark, at E2");
  expect(words("place P15d 0")).toBe("Place Hot Desking, dark, at square 0");
  expect(words("project P15d")).toBe("Start Hot Desking: 4 points once its pattern stands");
  expect(words("project X01d")).toBe("Start Crowdfunding Project: others may work for you");
  expect(words("quota Q02l")).toBe("Meet the quota Clear Desk Policy: 5 points");
  expect(words("hire M01d move 0 E2")).toBe("Hire Relocation Manager: square 0 moves to E2");
  expect(words("hire M02d swap 0 E1")).toBe("Hire Seat Swap Manager: square 0 and E1 change places");
  expect(words("hire M03d")).toBe("Hire Recruitment Manager: one more card to draw");
  expect(words("hire M04d shift 0+S1 north 1")).toBe("Hire Shift Manager: square 0, S1 slide 1 north");
  expect(words("hire M05d remove E1")).toBe("Hire Redundancy Manager: take E1 into your hand");
  expect(words("hire M06d exchange P01l E1")).toBe("Hire Replacement Manager: Corner Desk replaces E1");
  expect(words("hire M07d")).toBe("Hire Multitasking Manager: two more plays, then draw one");
  expect(words("hire M08d take P01l")).toBe("Hire Rehiring Manager: take Corner Desk from the discard pile");
  expect(words("hire M09d")).toBe("Hire Postponement Manager: Clerk must take a project back");
  expect(words("hire X03d take P01l")).toBe("Hire VP of Acquisitions: take over Corner Desk");
  expect(words("hire X04d")).toBe("Hire VP of Operations: look at the top four cards");
  expect(words("hire M09d idle")).toBe("Hire Postponement Manager for no effect");
  expect(words("place P15d E2 leave P01l overtime X02l")).toBe("Place Hot Desking, dark, at E2, leaving Corner Desk incomplete, then another turn");
  const put: Step[] = [{ kind: "use", value: "arrange" }, ...["P15d", "P01l"].map((value) => ({ kind: "card", value }))];
  expect(moveInWords(put, deck, { ...view, phase: "arrange" }, "Clerk")).toBe("Put the 2 cards back in this order");
  expect(moveInWords(put.slice(1), deck, { ...view, phase: "pick-up" }, "Clerk")).toBe("Take Hot Desking back into your hand");
});

test("a use says what it does before it is chosen", () => {
  expect(useInWords("place", "P01l", deck)).toBe("Lay it face down as a light cubicle.");
  expect(useInWords("project", "P15d", deck)).toContain("4 points once its pattern stands");
  expect(useInWords("quota", "Q02l", deck)).toBe("Score 5 points now.");
  expect(useInWords("hire", "M03d", deck)).toBe("Draw one more card.");
  expect(useInWords("idle", "M03d", deck)).toContain("does nothing");
});

test("a drawn card does not re-sort the hand", () => {
  expect(arranged([], ["P01d", "Q02d"])).toEqual(["P01d", "Q02d"]);
  expect(arranged(["Q02d", "P01d", "M04d"], ["M04d", "P00d", "Q02d"])).toEqual(["Q02d", "M04d", "P00d"]);
  // Backs are all alike.
  expect(arranged(["dark", "light"], ["dark", "dark"])).toEqual(["dark", "dark"]);
});

test("points are found where everybody was told of them", () => {
  const event = (code: string, params: Record<string, unknown>): GameEvent => ({ code, clause: "", params, text: "" });
  expect(scoresOf(deck, [event("completed", { seat: "A", card: "P15d", value: 4 })])).toEqual([{ seat: "A", points: 4, what: "Hot Desking" }]);
  expect(scoresOf(deck, [event("acquired", { seat: "A", card: "X03d", taken: "P01l", value: 3 })])).toEqual([{ seat: "B", points: 3, what: "VP of Acquisitions" }]);
  expect(scoresOf(deck, [event("crowdfunding", { seat: "B", card: "X01d" })])).toEqual([{ seat: "B", points: 1, what: "Crowdfunding Project" }]);
  expect(scoresOf(deck, [event("drew", { seat: "A", card: "P15d" })])).toEqual([]);
});
