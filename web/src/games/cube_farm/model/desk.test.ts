import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Refused } from "$/api/client";
import type { DeckSight, Options, Server } from "../../game";
import { sizeOf } from "./plan";
import { KeptDraft } from "$/table/drafts";
import { isSure } from "./answers.svelte";
import { Desk } from "./desk.svelte";
import fixture from "./fixture.json";
import type { FarmView } from "./view";

const deck = fixture.deck as DeckSight;
const views = fixture.views as unknown as FarmView[];
const first = views[0] as FarmView;
const [card, other] = first.hands.S as [string, string];

/** A server with answers by hand: every card fits unturned at N2 and E3, turned once at W2. */
function fake() {
  const asked: string[][] = [];
  const options = (steps: string[]): string[] => {
    const last = steps.at(-1) ?? "";
    if (last === "turn 0") return ["N2", "E3"];
    if (last === "turn 1") return ["W2"];
    if (last.startsWith("turn")) return [];
    return ["E2S1", "S1", "no-employee"];
  };
  const server = {
    options: vi.fn((steps: string[]): Promise<Options> => {
      asked.push(steps);
      return Promise.resolve({ version: 0, next: options(steps).map((value) => ({ kind: "", value })), whole: null });
    }),
    preview: vi.fn((move: string) => {
      if (move.includes("E9")) return Promise.reject(new Refused(409, "never-possible", "too far", "CF-4.1"));
      const lost = move.includes("N9");
      const events = lost
        ? [{ code: "lost-card", clause: "CF-4.1", params: { phase: 1, reason: "not-touching" }, text: "" }]
        : [{ code: "imagined", clause: "CF-3.4", params: { phase: 2, part: "card", lost: 3, of: 16 }, text: "" }];
      const view = { ...first, points: { ...first.points, S: first.points.S + 5 } };
      return Promise.resolve({ version: 0, view, events, points: 5 });
    }),
    why: vi.fn(),
    play: vi.fn((move: string) => Promise.resolve({ version: 1, move, facts: [], events: [] })),
  };
  return { server: server as unknown as Server<FarmView> & typeof server, asked };
}

function newDesk(change: Partial<ConstructorParameters<typeof Desk>[0]> = {}) {
  const { server, asked } = fake();
  const sight = { view: first, deck, you: "S", mayAct: true, server, ...change };
  return { desk: new Desk(sight), server, asked, sight };
}

/** A desk whose server answers about places only when it is told to. */
function slowDesk() {
  const made = newDesk();
  const options = made.server.options.getMockImplementation()!;
  let answer = () => {};
  const told = new Promise<void>((done) => (answer = done));
  made.server.options.mockImplementation((steps) => told.then(() => options(steps)));
  return { ...made, answer };
}

const settle = () => vi.advanceTimersByTimeAsync(200);

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
});
afterEach(() => void vi.useRealTimers());

describe("the desk", () => {
  it("goes through the floors in the order of the phases", () => {
    expect([0, 1, 2].map((phase) => newDesk().desk.floorIn(phase))).toEqual(["top", "middle", "basement"]);
    const { desk } = newDesk({ you: "P", view: { ...first, viewer: "P" } });
    expect([0, 1, 2].map((phase) => desk.floorIn(phase))).toEqual(["middle", "basement", "top"]);
  });

  it("asks for the places of a card once for each turn", async () => {
    const { desk, asked } = newDesk();
    await desk.take(card);
    await desk.take(other);
    await desk.take(card);
    await settle();
    const placesAsked = asked.filter((steps) => steps.at(-1)?.startsWith("turn")).map((steps) => steps.join(" "));
    expect(placesAsked[0]).toEqual(`phase 1 ${first.hands.S[0]} turn 0`);
    expect(new Set(placesAsked).size).toBe(placesAsked.length);
  });

  it("suggests a place where the card fits and drops it there", async () => {
    const { desk } = newDesk();
    await desk.take(card);
    expect(desk.held).toMatchObject({ card, turn: 0 });
    expect(desk.ghostFits).toBe(true);
    desk.drop();
    expect(desk.order.card?.card).toBe(card);
    expect(desk.phaseOf(card)).toBe(0);
    expect(desk.held).toBeNull();
  });

  it("lies beside the floor if it fits nowhere, and can be moved from there", async () => {
    const { server } = fake();
    server.options.mockResolvedValue({ version: 0, next: [], whole: null });
    const { desk } = newDesk({ server });
    await desk.take(card);
    expect(desk.said?.key).toBe("said.nowhere");
    expect(desk.ghostFits).toBe(false);
    desk.nextPlace(1);
    desk.shift(0, 1);
    desk.drop();
    expect(desk.phaseOf(card)).toBe(0);
  });

  it("waits for the places with what is done before they are known", async () => {
    const { desk, answer } = slowDesk();
    const taken = desk.take(card);
    desk.nextPlace(1);
    desk.drop();
    expect(desk.held?.card).toBe(card);
    answer();
    await taken;
    expect(desk.held).toBeNull();
    // It is suggested at one of the two places where it fits, and goes on to the other.
    const { desk: quick } = newDesk();
    await quick.take(card);
    const [suggested] = [quick.ghost?.square];
    expect(desk.order.card?.square).not.toEqual(suggested);
    expect([{ x: 0, y: -2 }, { x: 3, y: 0 }]).toContainEqual(desk.order.card?.square);
  });

  it("slips into a legal place also if it was let go before that was known", async () => {
    const { desk, server, answer } = slowDesk();
    void desk.take(card);
    desk.carry(1.9, -0.7);
    desk.drop();
    desk.carry(9, 9); // the pointer goes on, the card does not
    const sent = desk.send();
    answer();
    expect(await sent).toBe(true);
    expect(server.play).toHaveBeenCalledExactlyOnceWith(`1: card ${card} N2`);
  });

  it("seals a card in the hand where it is shown, and nothing while it does not fit there", async () => {
    const { desk, server } = newDesk();
    await desk.take(card);
    await settle();
    const seen = desk.textSeen;
    expect(seen).toContain(`card ${card}`);
    desk.shift(9, 9);
    expect(await desk.send()).toBe(false);
    expect(server.play).not.toHaveBeenCalled();
    expect(desk.refusal?.code).toBe("held");
    expect(desk.held?.card).toBe(card);
    desk.shift(-9, -9);
    expect(desk.refusal).toBeNull();
    expect(await desk.send()).toBe(true);
    expect(server.play).toHaveBeenCalledExactlyOnceWith(seen);
    expect(desk.held).toBeNull();
  });

  it("does not seal a card of which it is not known where it fits", async () => {
    const { desk, server, answer } = slowDesk();
    const taken = desk.take(card);
    expect(await desk.send()).toBe(false);
    expect(server.play).not.toHaveBeenCalled();
    answer();
    await taken;
    expect(desk.held?.card).toBe(card);
  });

  it("calls orders changed while a card is moved", async () => {
    const { desk } = newDesk({ view: { ...first, orders: { ...first.orders, S: "nothing" } } });
    expect(desk.isChanged).toBe(false);
    await desk.take(card);
    expect(desk.isChanged).toBe(true);
    desk.cancel();
    expect(desk.isChanged).toBe(false);
  });

  it("lets go of what waits when the card is put back", async () => {
    const { desk, answer } = slowDesk();
    const taken = desk.take(card);
    desk.drop();
    desk.cancel();
    answer();
    await taken;
    expect(desk.text).toBe("nothing");
  });

  it("slips into a legal place nearby and says where it does not fit and why", async () => {
    const { desk } = newDesk();
    await desk.take(card);
    desk.carry(1.9, -0.7); // the middle of a card of 3 by 2 at N2, not quite
    expect(desk.text).toBe("nothing");
    expect(desk.ghost?.square).toEqual({ x: 0, y: -2 });
    desk.carry(1.5, -8);
    expect(desk.ghost?.square).toEqual({ x: 0, y: -9 });
    expect(desk.ghostFits).toBe(false);
    await settle();
    expect(desk.ghostDoubt).toMatchObject({ part: "card", code: "not-touching" });
  });

  it("turns the held card and the ordered one", async () => {
    const { desk } = newDesk();
    await desk.take(card);
    await desk.turn(1);
    expect(desk.held?.turn).toBe(1);
    desk.nextPlace(1);
    expect(desk.ghost?.square).toEqual({ x: -2, y: 0 });
    desk.drop();
    await desk.turn(-1);
    expect(desk.order.card?.turn).toBe(0);
  });

  it("puts a card back to where it lay when nothing comes of it", async () => {
    const { desk } = newDesk();
    await desk.take(card);
    desk.drop();
    const text = desk.text;
    await desk.take(card);
    expect(desk.text).toBe("nothing");
    desk.shift(1, 0);
    desk.cancel();
    expect(desk.text).toBe(text);
    await desk.take(card);
    desk.choosePhase(1);
    expect(desk.text).toBe(text);
  });

  it("moves a card from one phase to another", async () => {
    const { desk } = newDesk();
    await desk.take(card);
    desk.drop();
    desk.choosePhase(2);
    await desk.take(card);
    desk.drop();
    expect(desk.phaseOf(card)).toBe(2);
    expect(desk.orders[0]?.card).toBeNull();
  });

  it("goes from cube to cube and employs", async () => {
    const { desk } = newDesk();
    await desk.nextCube(1);
    expect(desk.cursor).toEqual({ x: 2, y: 1 });
    await desk.nextCube(1);
    desk.employ(desk.cursor);
    expect(desk.text).toBe("1: employee S1");
    desk.employ(null);
    expect(desk.text).toBe("nothing");
  });

  it("forecasts the orders as a whole", async () => {
    const { desk, server } = newDesk();
    desk.employ({ x: 0, y: 1 });
    expect(desk.forecast).toBeNull();
    await settle();
    expect(desk.gain("S")).toBe(5);
    expect(desk.doubts).toEqual([
      expect.objectContaining({ phase: 2, part: "card", code: "imagined", params: expect.objectContaining({ lost: 3 }) }),
    ]);
    expect(server.preview).toHaveBeenCalledExactlyOnceWith("1: employee S1");
  });

  it("does not count what was lost in every turn imagined", async () => {
    const { desk, server } = newDesk();
    const preview = server.preview.getMockImplementation()!;
    server.preview.mockImplementation(async (move) => {
      const made = await preview(move);
      const lost = { code: "imagined", clause: "CF-3.4", params: { phase: 1, part: "employee", lost: 16, of: 16 }, text: "" };
      return { ...made, events: move.startsWith("1: employee") ? [lost] : [] } as unknown as typeof made;
    });
    desk.employ({ x: 0, y: 1 });
    await settle();
    expect(desk.doubts.map(isSure)).toEqual([true]);
    expect(desk.gain("S")).toBe(0);
    // What it would bring if nobody got in the way is still said beside it.
    expect(desk.forecast?.preview?.view.points.S).toBe(first.points.S + 5);
    desk.choosePhase(1);
    desk.employ({ x: 0, y: 1 });
    await settle();
    expect(server.preview).toHaveBeenLastCalledWith("2: employee S1");
    expect(desk.gain("S")).toBe(5);
    expect(desk.doubts).toHaveLength(1);
  });

  it("finds the phase that is to blame for a refusal", async () => {
    const { desk } = newDesk();
    desk.employ({ x: 0, y: 1 });
    desk.choosePhase(2);
    desk.employ({ x: 9, y: 0 });
    await settle();
    expect(desk.doubts).toEqual([{ phase: 3, part: "employee", code: "never-possible", params: { card: "", square: "E9" } }]);
  });

  it("blames the employee if it is the employee, and the card if it is the card", async () => {
    const { desk } = newDesk();
    await desk.take(card);
    desk.drop();
    desk.employ({ x: 9, y: 0 });
    await settle();
    expect(desk.ghostFits).toBe(true);
    expect(desk.ghostDoubt).toBeNull();
    expect(desk.doubts).toMatchObject([{ phase: 1, part: "employee", params: { square: "E9" } }]);
    desk.orderPlace(0, { x: 9, y: 0 }, 0);
    desk.employ({ x: 0, y: 1 });
    await settle();
    expect(desk.doubts).toMatchObject([{ phase: 1, part: "card", params: { card, square: "E9" } }]);
  });

  it("says nothing of earlier orders once they are others", async () => {
    const { desk } = newDesk();
    desk.employ({ x: 9, y: 0 });
    await settle();
    expect(desk.doubts).toHaveLength(1);
    desk.employ({ x: 0, y: 1 });
    expect(desk.doubts).toEqual([]);
    expect(desk.isForecast).toBe(false);
    await settle();
    expect(desk.isForecast).toBe(true);
  });

  it("takes the employee along with the card on which they sit", async () => {
    const { desk } = newDesk();
    await desk.take(card);
    desk.drop();
    const { square } = desk.order.card!;
    const seat = { x: square.x + 1, y: square.y };
    desk.employ(seat);
    // Moved, in the hand and from the list.
    await desk.take(card);
    expect(desk.text).toBe("nothing");
    desk.shift(2, 0);
    desk.drop();
    expect(desk.order.employee).toEqual({ x: seat.x + 2, y: seat.y });
    desk.orderPlace(0, { x: 5, y: 5 }, 0);
    expect(desk.order.employee).toEqual({ x: 6, y: 5 });
    // Turned by a quarter: the second square of the first row is the second of the last column.
    await desk.turn(1);
    const turned = desk.order.card!.square;
    expect(desk.order.employee).toEqual({ x: turned.x + sizeOf(deck, card, 1).width - 1, y: turned.y + 1 });
    // Put back: where they were. Taken away: gone with it.
    const before = desk.text;
    await desk.take(card);
    desk.shift(1, 1);
    desk.cancel();
    expect(desk.text).toBe(before);
    desk.removeCard(0);
    expect(desk.text).toBe("nothing");
  });

  it("leaves an employee who sits elsewhere where they are", async () => {
    const { desk } = newDesk();
    desk.employ({ x: 0, y: 1 });
    await desk.take(card);
    desk.drop();
    await desk.take(card);
    desk.shift(1, 0);
    desk.drop();
    expect(desk.order.employee).toEqual({ x: 0, y: 1 });
  });

  it("answers at once where a card fits: it has asked ahead", async () => {
    const { desk } = newDesk();
    await settle();
    void desk.take(other);
    expect(desk.held?.at).not.toBeNull();
    expect(desk.ghostFits).toBe(true);
    desk.drop();
    expect(desk.order.card?.card).toBe(other);
  });

  it("shows a card where it may lie before anybody has answered", () => {
    const { desk, answer } = slowDesk();
    void desk.take(card);
    expect(desk.held?.at).not.toBeNull();
    expect(desk.ghostFits).toBeNull();
    answer();
  });

  it("foretells what a card would bring where it is held", async () => {
    const { desk, server } = newDesk();
    await desk.take(card);
    await settle();
    expect(server.preview).toHaveBeenCalledWith(expect.stringMatching(`^1: card ${card}`));
    expect(desk.isForecast).toBe(true);
    expect(desk.gain("S")).toBe(5);
    desk.cancel();
    await settle();
    expect(desk.gain("S")).toBe(0);
  });

  it("keeps a draft until it is sealed, and finds it again", async () => {
    const drafts = new KeptDraft("t S");
    const { desk, sight } = newDesk({ drafts });
    await desk.take(card);
    desk.drop();
    desk.employ({ x: 0, y: 1 });
    const text = desk.text;
    // A card in the air lies where it lay, should the page go away now.
    await desk.take(card);
    const again = new Desk({ ...sight, drafts: new KeptDraft("t S") });
    expect(again.text).toBe(text);
    expect(new Desk({ ...sight, drafts: new KeptDraft("t P") }).text).toBe("nothing");
    const later = { ...first, turn: 2 };
    expect(new Desk({ ...sight, view: later, drafts: new KeptDraft("t S") }).text).toBe("nothing");
    await again.send();
    expect(new Desk({ ...sight, drafts: new KeptDraft("t S") }).text).toBe("nothing");
  });

  it("does not bring back a draft with a card that is not in the hand any more", () => {
    const drafts = new KeptDraft("t S");
    drafts.write(first.turn, "1: card 9999 N2");
    expect(newDesk({ drafts }).desk.text).toBe("nothing");
    localStorage.setItem("openplan.drafts", "{not json");
    expect(newDesk({ drafts }).desk.text).toBe("nothing");
  });

  it("keeps what is composed while the turn lasts, and forgets it when it is over", async () => {
    const { desk, sight } = newDesk();
    desk.employ({ x: 0, y: 1 });
    desk.update({ ...sight, view: { ...first, sent: ["P"] } });
    expect(desk.text).toBe("1: employee S1");
    desk.update({ ...sight, view: views[1] as FarmView });
    expect(desk.text).toBe("nothing");
    await settle();
  });

  it("begins with the orders that were sent", () => {
    const view = { ...first, orders: { S: "2: employee S1" } };
    const { desk } = newDesk({ view });
    expect(desk.text).toBe("2: employee S1");
    expect(desk.isChanged).toBe(false);
    desk.employ({ x: 2, y: 1 });
    expect(desk.isChanged).toBe(true);
    desk.compose(desk.sentText ?? "");
    expect(desk.isChanged).toBe(false);
  });

  it("sends once, and tells why it was refused", async () => {
    const { desk, server } = newDesk();
    desk.employ({ x: 0, y: 1 });
    const sending = desk.send();
    expect(await desk.send()).toBe(false);
    expect(await sending).toBe(true);
    expect(server.play).toHaveBeenCalledExactlyOnceWith("1: employee S1");
    server.play.mockRejectedValueOnce(new Refused(409, "stale", "the table has changed", ""));
    expect(await desk.send()).toBe(false);
    expect(desk.refusal).toEqual({ code: "stale", reason: "the table has changed" });
    server.play.mockRejectedValueOnce(new TypeError("no network"));
    await desk.send();
    expect(desk.refusal?.code).toBe("unreachable");
  });

  it("says nothing of the turn before when the next begins", async () => {
    const next = { ...first, turn: first.turn + 1 };
    const { desk, sight, server } = newDesk();
    await desk.send();
    expect(desk.said?.key).toBe("said.sent");
    desk.update({ ...sight, view: next });
    expect(desk.said).toBeNull();
    // The next turn may be there before the answer is.
    server.play.mockImplementationOnce((move) => {
      desk.update({ ...sight, view: { ...next, turn: next.turn + 1 } });
      return Promise.resolve({ version: 2, move, facts: [], events: [] });
    });
    expect(await desk.send()).toBe(true);
    expect(desk.said).toBeNull();
  });

  it("does nothing for who only watches", async () => {
    const { desk, server } = newDesk({ you: null, mayAct: false });
    await desk.take(card);
    desk.employ({ x: 0, y: 1 });
    await settle();
    expect(desk.text).toBe("nothing");
    expect(server.options).not.toHaveBeenCalled();
    expect(await desk.send()).toBe(false);
    desk.chooseFloor("basement");
    expect(desk.floor).toBe("basement");
  });
});
