import { expect, test } from "vitest";
import type { GameEvent } from "../../game";
import { bringsOf } from "../model/gain";
import { cuesOf, lengthOfAll, motionsOf, tracesOf } from "./motion";
import { describe as text, rowsOf } from "../model/text";
import { tell, tellAll } from "../model/tell";
import type { OfficeView } from "../model/view";
import { catalogue } from "../words";

const event = (code: string, params: Record<string, unknown>): GameEvent => ({ code, clause: "", params, text: "" });
const deck = {
  name: "d",
  title: "",
  hash: "",
  cards: {
    P01d: { name: "P01d", title: "Corner Desk", back: "dark", value: 2, drawing: ["DD", "DL"], text: "", quip: "", worths: {} },
    M04l: { name: "M04l", title: "Shift Manager", back: "light", value: null, drawing: [], text: "", quip: "", worths: {} },
  },
};
const seats = [
  { seat: "A", kind: "person", name: "Ann", is_you: true },
  { seat: "B", kind: "bot", name: "Bob", is_you: false },
];
const table = { deck, seats, you: "A" };

test("a shift slides every square of its group", () => {
  const shift = event("shifted", { seat: "B", card: "M04l", squares: ["0", "E1"], direction: "south", distance: 2 });
  expect(motionsOf(shift)).toEqual([
    { kind: "fly", card: "M04l", from: "hand-B", to: "discard" },
    { kind: "slide", moves: [{ from: "0", to: "S2" }, { from: "E1", to: "E1S2" }] },
  ]);
  expect(tracesOf([shift]).marked).toEqual(["S2", "E1S2"]);
});

test("a completed project is celebrated on its squares", () => {
  const done = event("completed", { seat: "A", card: "P01d", value: 2, squares: ["0", "E1", "S1", "E1S1"] });
  expect(motionsOf(done)[0]).toEqual({ kind: "celebrate", card: "P01d", squares: ["0", "E1", "S1", "E1S1"], value: 2, seat: "A" });
  expect(bringsOf({ version: 1, view: {} as OfficeView, events: [done], points: 2 }, "A")).toEqual({
    points: 2,
    completed: ["P01d"],
    others: [],
    glows: [{ squares: ["0", "E1", "S1", "E1S1"], label: "+2" }],
  });
});

test("events are told with names and titles, and a hidden card by its back", () => {
  expect(tell(table, event("placed", { seat: "B", card: "light", square: "E2" }))).toBe("Bob places a light card on E2.");
  expect(tell(table, event("placed", { seat: "A", card: "P01d", square: "E2" }))).toBe("You place Corner Desk on E2 as a dark cubicle.");
  expect(tell(table, event("placed", { seat: "B", card: "light", square: "0" }))).toBe("Bob places a light card on square 0.");
  expect(tellAll(table, [event("top", { colour: "dark" }), event("over", {})])).toBe("");
  const shift = event("shifted", { seat: "B", card: "M04l", squares: ["0", "E1"], direction: "south", distance: 2 });
  expect(tell(table, shift)).toBe("Bob hires Shift Manager: square 0, E1 slide 2 south.");
});

test("every event that the game can send has motion or words in both languages", () => {
  const codes = Object.keys(catalogue.en).filter((key) => key.startsWith("event."));
  expect(codes.length).toBeGreaterThan(40);
  for (const key of codes) {
    const [, code, who] = /^event\.(.+)\.(you|other)$/.exec(key) ?? [];
    expect(Object.keys(catalogue.de)).toContain(`event.${code}.${who === "you" ? "other" : "you"}`);
  }
});

test("both languages have the same words and holes", () => {
  const holes = (words: string) => new Set([...words.matchAll(/\{(\w+)/g)].map((found) => found[1]));
  expect(Object.keys(catalogue.de).sort()).toEqual(Object.keys(catalogue.en).sort());
  for (const key of Object.keys(catalogue.en) as (keyof typeof catalogue.en)[]) {
    expect(holes(catalogue.de[key]), key).toEqual(holes(catalogue.en[key]));
    expect(catalogue.de[key].trim(), key).not.toBe("");
  }
});

test("the text board has a row for each row, and says who holds what", () => {
  const view = {
    viewer: "A",
    office: [
      { square: "0", colour: "dark" },
      { square: "E1S1", colour: "light" },
    ],
    hands: { A: ["P01d"], B: ["light"] },
    play: { A: [], B: ["P01d"] },
    scored: { A: [], B: [] },
    points: { A: 0, B: 3 },
    discard: ["M04l"],
    to_act: ["B"],
  } as unknown as OfficeView;
  expect(rowsOf(view).map((row) => row.cells.map((cell) => cell.colour))).toEqual([
    ["dark", null],
    [null, "light"],
  ]);
  const said = text(view, deck, "en");
  expect(said).toContain("To play: B.");
  expect(said).toContain("Row S1: free, light.");
  expect(said).toContain("Hand of B: Light back.");
  expect(said).toContain("Scored by B: 3 points (nothing).");
  expect(text(view, deck, "de")).toContain("Am Zug: B.");
});

test("an acquired project flies where the house rule says", () => {
  const params = { seat: "A", card: "X03d", taken: "P01d", value: 3 };
  const away = { kind: "fly", card: "X03d", from: "hand-A", to: "scored-B" };
  expect(motionsOf(event("acquired", params))).toEqual([away, { kind: "fly", card: "P01d", from: "play-B", to: "play-A" }]);
  expect(motionsOf(event("acquired-to-hand", params))).toEqual([away, { kind: "fly", card: "P01d", from: "play-B", to: "hand-A" }]);
  for (const code of ["acquired", "acquired-to-hand"]) {
    expect(bringsOf({ version: 1, view: {} as OfficeView, events: [event(code, params)], points: 0 }, "A")?.others).toEqual(["X03d"]);
  }
});

test("one thing after the other, each as long as it takes, and a trace of all of it", () => {
  const events = [
    event("placed", { seat: "A", card: "P01d", square: "E2" }),
    event("completed", { seat: "A", card: "P10d", squares: ["0", "E1"], value: 4 }),
    event("drew", { seat: "A", card: "P02d" }),
  ];
  const cues = cuesOf(events);
  expect(cues.map((cue) => cue.motion.kind)).toEqual(["drop", "celebrate", "fly", "fly"]);
  expect(cues.map((cue) => cue.at)).toEqual([0, 240, 1140, 1140]);
  expect(lengthOfAll(events)).toBe(1420);
  expect(tracesOf(events)).toEqual({ marked: ["E2"], trails: [], stamps: [{ squares: ["0", "E1"], label: "+4" }] });
});
