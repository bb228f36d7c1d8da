import { describe, expect, it } from "vitest";
import fixture from "./fixture.json";
import type { DeckSight } from "../../game";
import { planOf } from "./plan";
import { signOf, stepsOnWay, tellSign, type Pointed } from "./tell";
import { FLOORS, formatSquare, parseSquare, type FarmView, type FloorName } from "./view";

const deck = fixture.deck as DeckSight;
const view = (fixture.views as unknown as FarmView[]).at(-1) as FarmView;

function point(floor: FloorName, square: string, change: Partial<Pointed> = {}) {
  const { tiles } = planOf(view, floor, deck);
  return signOf({ square: parseSquare(square), tiles, ordered: [], scores: view.floors[floor].employees, free: null, gain: null, ...change });
}

describe("pointing at something", () => {
  it("names it, with its worth, its reach and who gets what from it", () => {
    let seen = 0;
    for (const floor of FLOORS) {
      for (const item of view.floors[floor].squares.filter((one) => (one.worth ?? 0) > 0)) {
        const sign = point(floor, item.square);
        expect(sign.title).toMatch(new RegExp(`: \\+${item.worth} for everybody within ${item.worth} steps`));
        const parts = view.floors[floor].employees.flatMap((score) => score.parts.filter((part) => part.square === item.square));
        const told = sign.facts.join(" ");
        if (parts.length === 0) expect(told).toContain("nobody is near enough");
        for (const part of parts.filter((one) => one.kind === "bonus")) expect(told).toContain(`(${part.steps} step`);
        seen += 1;
      }
    }
    expect(seen).toBeGreaterThan(5);
  });
  it("tells an employee's sum", () => {
    for (const floor of FLOORS) {
      for (const score of view.floors[floor].employees) {
        for (const square of score.cube) {
          const sign = point(floor, square);
          expect(sign.title).toContain(`${score.total} point`);
          expect(sign.facts).toHaveLength(score.parts.length + 2);
        }
      }
    }
  });
  it("says whether a cube can be taken and what it would bring", () => {
    for (const floor of FLOORS) {
      const item = view.floors[floor].squares.find((one) => one.kind === "cube" && !one.employee);
      if (!item) continue;
      expect(point(floor, item.square, { free: [item.cube ?? ""], gain: 4 }).facts).toEqual(["free, can be taken", "would bring you +4"]);
      expect(point(floor, item.square, { free: [] }).facts).toEqual(["cannot be taken: no walk to an elevator"]);
    }
  });
  it("has a name for every square there is, and for those that are not", () => {
    for (const floor of FLOORS)
      for (const item of view.floors[floor].squares) {
        const sign = point(floor, item.square);
        expect(sign.title.length).toBeGreaterThan(3);
        expect(sign.title).not.toMatch(/[{}]|undefined/);
      }
    expect(point("top", "E40").title).toContain("No floor here yet");
  });
  it("is said to who cannot see it, walls too", () => {
    const { tiles } = planOf(view, "top", deck);
    const tile = tiles.find((one) => one.walls === 1 || one.walls === 2);
    if (!tile) throw new Error("no such tile");
    const name = formatSquare(tile);
    expect(tellSign(point("top", name), tile)).toMatch(new RegExp(`^${name}: .*walls [NE]$`));
  });
});

describe("steps", () => {
  it("are counted onto the square where a walk ends, to an elevator as to a bonus", () => {
    for (const floor of FLOORS)
      for (const score of view.floors[floor].employees) {
        for (const part of score.parts) expect(part.walk.length - 1).toBe(part.steps);
        if (score.way.length) expect(stepsOnWay(score)).toBe(score.way.length - 1);
      }
  });
});
