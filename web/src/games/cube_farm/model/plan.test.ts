import { describe, expect, it } from "vitest";
import fixture from "./fixture.json";
import type { DeckSight } from "../../game";
import { byNames, cubeAround, desksOf, guessPlaces, planBefore, planOf, raceOf, reachOf, readFace, seatOfCube, stepsOf, turnFace, withCard, type Plan } from "./plan";
import { FLOORS, formatSquare, parseSquare, type FarmView } from "./view";

const deck = fixture.deck as DeckSight;
const views = fixture.views as unknown as FarmView[];
const sorted = (plan: Plan) => ({
  tiles: [...plan.tiles].sort((a, b) => a.y - b.y || a.x - b.x),
  cards: plan.cards,
  employees: plan.employees,
});

describe("squares", () => {
  it.each(["0", "E3S2", "W1N4", "S12", "W7"])("%s is read and written", (name) => {
    expect(formatSquare(parseSquare(name))).toBe(name);
  });
  it("counts east and south", () => {
    expect(parseSquare("W1N4")).toEqual({ x: -1, y: -4 });
  });
});

describe("a card's face", () => {
  const face = readFace({ drawing: ["+-+ + +", "|#|. E ", "+ + + +", " . V|w ", "+ + + +"], worths: { V: -3, w: 5 } });
  it("has kinds and walls", () => {
    expect([face.width, face.height]).toEqual([3, 2]);
    expect(face.tiles.map((tile) => tile.kind)).toEqual(["cube", "floor", "elevator", "floor", "vp", "water-cooler"]);
    expect(face.tiles.map((tile) => tile.worth)).toEqual([0, 0, 0, 0, -3, 5]);
    expect(face.tiles.map((tile) => tile.walls)).toEqual([1 + 2 + 8, 8, 0, 0, 2, 8]);
  });
  it("turns clockwise with its walls", () => {
    const turned = turnFace(face, 1);
    expect([turned.width, turned.height]).toEqual([2, 3]);
    const cube = turned.tiles.find((tile) => tile.kind === "cube");
    expect(cube).toMatchObject({ x: 1, y: 0, walls: 2 + 4 + 1 });
    expect(turned.tiles.find((tile) => tile.kind === "elevator")).toMatchObject({ x: 1, y: 2 });
  });
  it("is the same after four turns", () => {
    const again = turnFace(turnFace(face, 3), 1);
    expect(again.tiles).toEqual(face.tiles);
  });
});

describe("a turn played back", () => {
  it("begins with the floors of the turn before and ends with those after it", () => {
    let compared = 0;
    for (let turn = 1; turn < views.length; turn += 1) {
      const [before, after] = [views[turn - 1], views[turn]];
      if (!before || !after) continue;
      const steps = stepsOf(after.history[turn - 1]?.results ?? []).length;
      for (const floor of FLOORS) {
        expect(sorted(planBefore(after, floor, deck, turn - 1, 0))).toEqual(sorted(planOf(before, floor, deck)));
        expect(sorted(planBefore(after, floor, deck, turn - 1, steps))).toEqual(sorted(planOf(after, floor, deck)));
        compared += 1;
      }
    }
    expect(compared).toBe(15);
  });
  it("shows older turns from the last view too", () => {
    const last = views.at(-1);
    const second = views[2];
    if (!last || !second) throw new Error("no views");
    for (const floor of FLOORS) {
      expect(sorted(planBefore(last, floor, deck, 2, 0))).toEqual(sorted(planOf(second, floor, deck)));
    }
  });
  it("goes phase by phase, a department at a time", () => {
    const steps = stepsOf(views.at(-1)?.history[0]?.results ?? []);
    expect(steps.map((step) => step.phase)).toEqual([...steps.map((step) => step.phase)].sort());
    for (const step of steps) expect(step.results.every((result) => result.seat === step.seat)).toBe(true);
  });
});

describe("a cube", () => {
  it("is what the server says it is", () => {
    const view = views.at(-1);
    if (!view) throw new Error("no views");
    for (const floor of FLOORS) {
      const tiles = new Map(planOf(view, floor, deck).tiles.map((tile) => [formatSquare(tile), tile]));
      for (const { square, cube } of view.floors[floor].squares) {
        const own = view.floors[floor].squares.filter((item) => cube !== undefined && item.cube === cube).map((item) => item.square);
        expect(cubeAround(tiles, square).map(formatSquare).sort()).toEqual(own.sort());
      }
    }
  });
});

describe("what is near", () => {
  it("is what the server counts: everybody in reach of something gets or loses by it, nobody else", () => {
    let compared = 0;
    for (const view of views) {
      for (const floor of FLOORS) {
        const { tiles } = planOf(view, floor, deck);
        const scores = view.floors[floor].employees;
        for (const tile of tiles.filter((one) => one.worth !== 0)) {
          const reach = new Set(reachOf(tiles, tile, Math.abs(tile.worth)).map(formatSquare));
          for (const score of scores) {
            const part = score.parts.find((one) => one.kind !== "extra" && one.square === formatSquare(tile));
            // CF-6.4: who is away from home does not mind a VP.
            if (tile.kind === "vp" && score.seat !== view.floors[floor].home) continue;
            expect(score.cube.some((name) => reach.has(name))).toBe(part !== undefined);
            compared += 1;
          }
        }
      }
    }
    expect(compared).toBeGreaterThan(50);
  });
});

describe("a joint cube", () => {
  const card = (rows: string[]) => readFace({ drawing: rows, worths: { R: -2 } }).tiles;
  const at = (tiles: ReturnType<typeof card>, x: number) => tiles.map((tile) => ({ ...tile, x: tile.x + x }));
  const left = card(["+-+-+", "|. # ", "+-+-+"]);
  const right = at(card(["+-+-+", " # .|", "+-+-+"]), 2);
  it("has one desk, also across two cards", () => {
    expect([...desksOf(left)]).toEqual(["E1"]);
    expect([...desksOf(withCard(left, right))]).toEqual(["E1"]);
    expect(seatOfCube(withCard(left, right), { x: 2, y: 0 })).toEqual({ x: 1, y: 0 });
  });
  it("has none where somebody is", () => {
    const taken = left.map((tile) => (tile.kind === "cube" ? { ...tile, employee: "S" as const } : tile));
    expect(desksOf(withCard(taken, right)).size).toBe(0);
    expect(desksOf(withCard(left, at(card(["+-+-+", " R .|", "+-+-+"]), 2))).size).toBe(0);
  });
  it("is two where a card draws a wall between them", () => {
    const walled = at(card(["+-+-+", "|# .|", "+-+-+"]), 2);
    expect([...desksOf(withCard(left, walled))]).toEqual(["E1", "E2"]);
    expect(cubeAround(byNames(withCard(left, walled)), "E1")).toHaveLength(1);
  });
  it("has one token for one employee, in every view", () => {
    for (const view of views)
      for (const floor of FLOORS) {
        const plan = planOf(view, floor, deck);
        for (const { x, y } of plan.employees) expect(seatOfCube(plan.tiles, { x, y })).toEqual({ x, y });
        expect(plan.employees).toHaveLength(view.floors[floor].employees.length);
      }
  });
});

describe("a guess", () => {
  it("lies on nothing and touches something", () => {
    const found = guessPlaces([{ x: 0, y: 0 }], { width: 2, height: 1 }).map(formatSquare);
    expect(found.sort()).toEqual(["E1", "N1", "S1", "W1N1", "W1S1", "W2"]);
  });
});

describe("the race of points", () => {
  it("is what was told after each turn", () => {
    const last = views.at(-1);
    if (!last) throw new Error("no views");
    expect(raceOf(last)).toEqual(views.map((view) => view.points));
  });
});
