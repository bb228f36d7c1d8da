import { describe, expect, it } from "vitest";
import fixture from "./fixture.json";
import { awaits } from "./awaits";
import { accountOf, bestCube, bestTurn, courseOf, lostBy } from "./ending";
import { tellTurn } from "./tell";
import { hush, told } from "./told.svelte";
import { SEATS, type FarmView } from "./view";

const views = fixture.views as unknown as FarmView[];
const view = views.at(-1) as FarmView;

describe("the ending", () => {
  it("accounts for every point", () => {
    for (const seat of SEATS) {
      const account = accountOf(view, seat);
      expect(account.room + account.machines + account.nearest + account.bosses).toBe(view.points[seat]);
      const scored = courseOf(view).scored[seat] ?? [];
      expect(scored.reduce((sum, one) => sum + one.points, 0)).toBe(view.points[seat]);
    }
  });
  it("ends the race with the points", () => {
    for (const seat of SEATS) expect(courseOf(view).race[seat]?.at(-1)).toBe(view.points[seat]);
  });
  it("finds the best turn and the best cube", () => {
    const gains = views.slice(1).flatMap((after, turn) => SEATS.map((seat) => after.points[seat] - (views[turn]?.points[seat] ?? 0)));
    expect(bestTurn(view)?.points).toBe(Math.max(...gains));
    expect(bestCube(view)?.score.total).toBeGreaterThan(1);
    const lost = view.history.flatMap((turn) => turn.results).filter((result) => result.code !== undefined).length;
    expect(SEATS.reduce((sum, seat) => sum + lostBy(view, seat), 0)).toBe(lost);
  });
});

describe("to act", () => {
  const first = views[0] as FarmView;
  it("is whoever is known to have sent nothing", () => {
    const shown = { ...first, viewer: "S" as const, house: { ...first.house, "show-sent": "yes" } };
    expect(SEATS.filter((seat) => awaits({ ...shown, sent: ["S"] }, seat))).toEqual(["P", "T"]);
    expect(SEATS.filter((seat) => awaits({ ...shown, sent: ["S"], withdrawn: ["T"] }, seat))).toEqual(["P"]);
  });
  it("is nobody of whom that is not known", () => {
    const secret = { ...first, viewer: "S" as const, house: { ...first.house, "show-sent": "no" } };
    expect(SEATS.filter((seat) => awaits(secret, seat))).toEqual(["S"]);
    expect(SEATS.filter((seat) => awaits({ ...secret, sent: ["S"] }, seat))).toEqual([]);
    expect(awaits({ ...secret, over: true }, "S")).toBe(false);
  });
});

describe("the log", () => {
  it("tells a turn in short, with what was lost and why", () => {
    const event = (code: string, params: Record<string, unknown>) => ({ code, clause: "", params, text: "" });
    const told = tellTurn({ deck: fixture.deck, seats: [{ seat: "S", kind: "person", name: "Ada", is_you: true }], you: "S" }, [
      event("placed-card", { seat: "S", card: "5", phase: 1 }),
      event("employed", { seat: "S", square: "N2", phase: 1 }),
      event("lost-employee", { seat: "S", square: "E2", phase: 2, reason: "taken", by: "P" }),
      event("no-orders", { seat: "T" }),
      event("turn", { turn: 2 }),
    ]);
    expect(told).toBe(
      "Ada places card 5, 1 employee. Ada loses the employee at E2: the cube at E2 is taken by Product Development. Support & Training sent no orders. Turn 2 begins.",
    );
    expect(tellTurn({ deck: fixture.deck, seats: [], you: null }, [])).toBe("");
  });
  it("keeps to itself what was not opened yet", () => {
    const events = [
      { code: "placed-card", clause: "", params: { seat: "S", card: "5" }, text: "" },
      { code: "turn", clause: "", params: { turn: 3 }, text: "" },
    ];
    const table = { deck: fixture.deck, seats: [], you: null };
    told.hiddenFrom = 2;
    expect(tellTurn(table, events)).toBe("Turn 2 happened.");
    told.hiddenFrom = 3;
    expect(tellTurn(table, events)).toContain("card 5");
    hush();
  });
});
