import { expect, test, vi } from "vitest";
import type { Options, Preview, Server, Step } from "../../game";
import { Choice, stepsOf } from "./choice.svelte";
import { promptOf, trayOf } from "./prompt";
import type { OfficeView } from "./view";

const TABLE: OfficeView = {
  viewer: "A",
  office: [
    { square: "0", colour: "dark" },
    { square: "E1", colour: "light" },
  ],
  hands: { A: ["M04d", "P01d", "Q02d"], B: ["dark", "light", "light"] },
  play: { A: [], B: [] },
  scored: { A: [], B: [] },
  points: { A: 0, B: 0 },
  discard: [],
  deck: { count: 40, known: ["dark"] },
  to_act: ["A"],
  turn: "A",
  phase: "turn",
  plays_left: 0,
  hiring: null,
  overtime_used: false,
  house: {},
  started: "A",
  tossed: false,
};

const square = (value: string): Step => ({ kind: "square", value });
const card = (value: string): Step => ({ kind: "card", value });
const use = (value: string): Step => ({ kind: "use", value });

/** Moves by their steps, as the server would offer them. Squares of a shift come in any order. */
const MOVES: Record<string, Step[]> = {
  "place P01d S1": [card("P01d"), use("place"), square("S1")],
  "place P01d E2": [card("P01d"), use("place"), square("E2")],
  "project P01d": [card("P01d"), use("project")],
  "place Q02d S1": [card("Q02d"), use("place"), square("S1")],
  "hire M04d shift 0 south 1": [card("M04d"), use("hire"), square("0"), { kind: "direction", value: "south" }, { kind: "distance", value: "1" }],
  "hire M04d shift E1 north 1": [card("M04d"), use("hire"), square("E1"), { kind: "direction", value: "north" }, { kind: "distance", value: "1" }],
  "hire M04d shift E1 south 1": [card("M04d"), use("hire"), square("E1"), { kind: "direction", value: "south" }, { kind: "distance", value: "1" }],
  "hire M04d shift E1 south 2": [card("M04d"), use("hire"), square("E1"), { kind: "direction", value: "south" }, { kind: "distance", value: "2" }],
  "place M04d S1": [card("M04d"), use("place"), square("S1")],
  "place M04d S1 overtime X02d": [card("M04d"), use("place"), square("S1"), { kind: "overtime", value: "X02d" }],
};

class Pretended implements Server<OfficeView> {
  asked: string[][] = [];
  played: string[] = [];
  failing: Error | null = null;
  held: (() => void)[] | null = null;

  constructor(readonly moves: Record<string, Step[]> = MOVES) {}

  async options(steps: string[]): Promise<Options> {
    this.asked.push(steps);
    if (this.failing !== null) throw this.failing;
    if (this.held !== null) await new Promise<void>((go) => this.held?.push(go));
    const next = new Map<string, Step>();
    let whole: string | null = null;
    for (const [text, path] of Object.entries(this.moves)) {
      if (!steps.every((step, place) => path[place]?.value === step)) continue;
      const following = path[steps.length];
      if (following === undefined) whole = text;
      else next.set(`${following.kind} ${following.value}`, following);
    }
    return { version: 1, next: [...next.values()], whole };
  }

  async preview(move: string): Promise<Preview<OfficeView>> {
    return { version: 1, view: TABLE, events: [], points: move.includes("E2") ? 4 : 0 };
  }

  async why(move: string) {
    const is_legal = move in this.moves;
    return { is_legal, code: is_legal ? null : "quota-not-met", reason: "no", clause: "HR-7.1" };
  }

  async play(move: string) {
    if (this.failing !== null) throw this.failing;
    this.played.push(move);
    return { version: 2, move, facts: [], events: [] };
  }
}

async function opened(server = new Pretended(), view = TABLE): Promise<Choice> {
  const choice = new Choice(server, view);
  await choice.open();
  return choice;
}

test("a card shows at once what it can do and where it can lie", async () => {
  const choice = await opened();
  expect([...choice.cards].sort()).toEqual(["M04d", "P01d", "Q02d"]);
  await choice.pickCard("P01d");
  expect(choice.uses).toEqual(["place", "project"]);
  expect([...choice.squares].sort()).toEqual(["E2", "S1"]);
  expect(promptOf(choice, TABLE)).toEqual({ word: "now.use", card: "P01d" });
});

test("a manager is hired for no effect by a use of its own, beside the reason why there is no work", async () => {
  const idle = {
    "hire M04d idle": [card("M04d"), use("idle")],
    "hire M08d idle": [card("M08d"), use("idle")],
    "place M08d S1": [card("M08d"), use("place"), square("S1")],
  };
  for (const [move, steps] of Object.entries(idle)) expect(stepsOf(move)).toEqual(steps);
  const server = new Pretended({ ...MOVES, ...idle });
  const choice = await opened(server);
  await choice.pickCard("M04d");
  expect(choice.uses).toEqual(["hire", "place", "idle"]);
  expect(choice.denied).toBeNull();
  await choice.pickCard("M08d");
  expect(choice.uses).toEqual(["idle", "place"]);
  expect(choice.denied).not.toBeNull();
  await choice.pick("use", "idle");
  expect(promptOf(choice, TABLE)).toEqual({ word: "now.confirm" });
  await choice.confirm();
  expect(server.played).toEqual(["hire M08d idle"]);
});

test("what a move would complete can be left incomplete before it is confirmed", async () => {
  const leave = (value: string): Step => ({ kind: "leave", value });
  const server = new Pretended({
    ...MOVES,
    "place P01d S1 leave P10d": [card("P01d"), use("place"), square("S1"), leave("P10d")],
  });
  const choice = await opened(server);
  await choice.pickCard("P01d");
  await choice.pickSquare("S1");
  expect(choice.whole).toBe("place P01d S1");
  expect(choice.leavable).toEqual(["P10d"]);
  expect(promptOf(choice, TABLE)).toEqual({ word: "now.confirm" });
  await choice.pick("leave", "P10d");
  expect(choice.leavable).toEqual([]);
  await choice.confirm();
  expect(server.played).toEqual(["place P01d S1 leave P10d"]);
});

test("a square takes the placing along, and again confirms", async () => {
  const server = new Pretended();
  const choice = await opened(server);
  await choice.pickCard("P01d");
  await choice.pickSquare("E2");
  expect(choice.whole).toBe("place P01d E2");
  expect(choice.preview?.points).toBe(4);
  await choice.pickSquare("E2");
  expect(server.played).toEqual(["place P01d E2"]);
  expect(choice.sent).toBe(true);
});

test("another square is chosen instead, and taking back goes one choice at a time", async () => {
  const choice = await opened();
  await choice.pickCard("P01d");
  await choice.pickSquare("E2");
  await choice.pickSquare("S1");
  expect(choice.whole).toBe("place P01d S1");
  choice.back();
  expect(choice.whole).toBeNull();
  expect(choice.card).toBe("P01d");
  choice.back();
  expect(choice.card).toBeNull();
  expect(choice.canGoBack).toBe(false);
});

test("another card begins another move; the same card lets go", async () => {
  const choice = await opened();
  await choice.pickCard("P01d");
  await choice.pick("use", "place");
  await choice.pickCard("M04d");
  expect(choice.taken).toEqual([card("M04d")]);
  await choice.pickCard("M04d");
  expect(choice.taken).toEqual([]);
});

test("what leaves no choice is not asked", async () => {
  const choice = await opened();
  await choice.pickCard("M04d");
  await choice.pick("use", "hire");
  expect([...choice.squares].sort()).toEqual(["0", "E1"]);
  await choice.pickSquare("0");
  expect(choice.whole).toBe("hire M04d shift 0 south 1");
  choice.back();
  expect(choice.pickedSquares).toEqual([]);
});

test("a distance can be chosen on the floor, where the first square would land", async () => {
  const choice = await opened();
  await choice.pickCard("M04d");
  await choice.pick("use", "hire");
  await choice.pickSquare("E1");
  expect(choice.directions.toSorted()).toEqual(["north", "south"]);
  await choice.pick("direction", "south");
  expect(choice.distances).toEqual([1, 2]);
  expect(choice.landing(2)).toBe("E1S2");
  await choice.pickSquare("E1S2");
  expect(choice.whole).toBe("hire M04d shift E1 south 2");
});

test("asking again loses nothing that is begun", async () => {
  const server = new Pretended();
  server.failing = new Error("gone");
  const choice = await opened(server);
  expect(choice.trouble?.message).toBe("gone");
  server.failing = null;
  await choice.open();
  await choice.pickCard("P01d");
  await choice.open();
  expect(choice.card).toBe("P01d");
  choice.back();
  expect(choice.cards.size).toBe(3);
});

test("overtime may be added to a whole move", async () => {
  const choice = await opened();
  await choice.pickCard("M04d");
  await choice.pickSquare("S1");
  expect(choice.whole).toBe("place M04d S1");
  expect(choice.overtime).toEqual(["X02d"]);
  expect(promptOf(choice, TABLE).word).toBe("now.confirm");
  await choice.pick("overtime", "X02d");
  expect(choice.whole).toBe("place M04d S1 overtime X02d");
});

test("a card that cannot do what it is for says why", async () => {
  const choice = await opened();
  await choice.pickCard("Q02d");
  expect(choice.denied?.code).toBe("quota-not-met");
  await choice.pickCard("P01d");
  expect(choice.denied).toBeNull();
});

test("an answer that comes late changes nothing", async () => {
  const server = new Pretended();
  const choice = await opened(server);
  server.held = [];
  const slow = choice.pickCard("P01d");
  expect(choice.card).toBe("P01d");
  choice.back();
  for (const go of server.held) go();
  await slow;
  expect(choice.taken).toEqual([]);
  expect(choice.cards.size).toBe(3);
});

/** Let the server answer again, and all that waits for it. */
function answer(server: Pretended): void {
  const held = server.held ?? [];
  server.held = null;
  for (const go of held) go();
}

test("a press before the first answer waits for it", async () => {
  const server = new Pretended();
  server.held = [];
  const choice = new Choice(server, TABLE);
  void choice.open();
  const pressed = choice.pickCard("P01d");
  const placed = choice.pickSquare("E2");
  expect(choice.card).toBeNull();
  answer(server);
  await pressed;
  expect(choice.card).toBe("P01d");
  expect(await placed).toBe(true);
  expect(choice.whole).toBe("place P01d E2");
});

test("what a press means is decided by the answer before it", async () => {
  const server = new Pretended();
  const choice = await opened(server);
  server.held = [];
  void choice.pickCard("P01d");
  const other = choice.pickCard("M04d");
  answer(server);
  await other;
  expect(choice.taken).toEqual([card("M04d")]);
  expect(await choice.pickSquare("E5")).toBe(false);
});

test("pressing twice before the answer sends nothing that was not seen", async () => {
  const server = new Pretended();
  const choice = await opened(server);
  await choice.pickCard("P01d");
  server.held = [];
  void choice.pickSquare("E2");
  const again = choice.pickSquare("E2");
  answer(server);
  await again;
  expect(choice.whole).toBe("place P01d E2");
  expect(server.played).toEqual([]);
  await choice.pickSquare("E2");
  expect(server.played).toEqual(["place P01d E2"]);
});

test("taking back lets go of presses that wait", async () => {
  const server = new Pretended();
  const choice = await opened(server);
  server.held = [];
  void choice.pickCard("P01d");
  const late = choice.pickSquare("E2");
  choice.back();
  answer(server);
  await late;
  expect(choice.taken).toEqual([]);
  await choice.pickCard("M04d");
  expect(choice.card).toBe("M04d");
});

test("a hint asked for before the first answer can be taken back", async () => {
  const server = new Pretended();
  server.held = [];
  const choice = new Choice(server, TABLE);
  void choice.open();
  const followed = choice.follow("hire M04d shift E1 south 2");
  answer(server);
  await followed;
  expect(choice.whole).toBe("hire M04d shift E1 south 2");
  choice.back();
  expect(choice.cards.size).toBe(3);
});

test("a refusal keeps what was chosen before", async () => {
  const server = new Pretended();
  const choice = await opened(server);
  await choice.pickCard("P01d");
  server.failing = new Error("stale");
  await choice.pick("use", "project");
  expect(choice.trouble?.message).toBe("stale");
  expect(choice.taken).toEqual([card("P01d")]);
  server.failing = null;
  await choice.pickSquare("S1");
  server.failing = new Error("gone");
  await choice.confirm();
  expect(choice.sent).toBe(false);
  expect(choice.whole).toBe("place P01d S1");
  expect(choice.trouble?.message).toBe("gone");
});

test("a glance belongs to the choice it was made for", async () => {
  const choice = await opened();
  await choice.pickCard("P01d");
  await choice.look("E2");
  expect(choice.glance?.points).toBe(4);
  await choice.look("E5");
  expect(choice.glance).toBeNull();
  const late = choice.look("E2");
  choice.back();
  await late;
  expect(choice.glance).toBeNull();
});

test("four cards are put back one by one, the last by itself", async () => {
  const orders = ["P01d", "P02d", "P03d"].flatMap((a, _, all) =>
    all.filter((b) => b !== a).map((b) => [a, b, all.find((c) => c !== a && c !== b)!]),
  );
  const moves = Object.fromEntries(orders.map((order) => [`arrange ${order.join(" ")}`, [use("arrange"), ...order.map(card)]]));
  const view: OfficeView = { ...TABLE, phase: "arrange", deck: { count: 9, known: ["P01d", "P02d", "P03d"] } };
  const choice = await opened(new Pretended(moves), view);
  expect(trayOf(choice, view)).toEqual(["P01d", "P02d", "P03d"]);
  await choice.pickCard("P02d");
  expect(trayOf(choice, view)).toEqual(["P01d", "P02d", "P03d"]);
  await choice.pickCard("P03d");
  expect(choice.whole).toBe("arrange P02d P03d P01d");
  expect(choice.pickedCards).toEqual(["P02d", "P03d", "P01d"]);
});

test("a whole move is taken apart into its steps, and looked at at once", async () => {
  const texts = (move: string) => stepsOf(move).map((step) => `${step.kind} ${step.value}`);
  expect(texts("hire M04d shift 0+E1+E1S1 east 2 overtime X02d")).toEqual([
    "card M04d",
    "use hire",
    "square 0",
    "square E1",
    "square E1S1",
    "direction east",
    "distance 2",
    "overtime X02d",
  ]);
  expect(texts("place M01l E2 leave P01d P10d overtime X02d")).toEqual([
    "card M01l",
    "use place",
    "square E2",
    "leave P01d",
    "leave P10d",
    "overtime X02d",
  ]);
  expect(texts("hire M06d exchange P05l E1")).toEqual(["card M06d", "use hire", "card P05l", "square E1"]);
  expect(texts("hire M07d two-plays")).toEqual(["card M07d", "use hire"]);
  expect(texts("arrange P01d P02l")).toEqual(["use arrange", "card P01d", "card P02l"]);
  for (const [move, steps] of Object.entries(MOVES)) expect(stepsOf(move)).toEqual(steps);
  const choice = await opened();
  await choice.pickCard("P01d");
  await choice.follow("hire M04d shift E1 south 2");
  expect(choice.whole).toBe("hire M04d shift E1 south 2");
  choice.back();
  expect(choice.card).toBeNull();
});

test("what each card could do is asked ahead: choosing one needs no answer", async () => {
  const server = new Pretended();
  const choice = await opened(server);
  await new Promise((done) => setTimeout(done, 0));
  const before = server.asked.length;
  // From now on the server says nothing more.
  server.held = [];
  for (const name of ["P01d", "M04d", "Q02d"]) {
    void choice.pickCard(name);
    await new Promise((done) => setTimeout(done, 0));
    expect(choice.card).toBe(name);
    expect(choice.busy).toBe(false);
    expect(choice.squares.has("S1")).toBe(true);
  }
  expect(server.asked.length).toBe(before);
});

test("a choice half made is taken up again, as far as it is still offered", async () => {
  const choice = new Choice(new Pretended(), TABLE);
  await choice.open([card("P01d"), use("place"), square("S1")]);
  expect(choice.whole).toBe("place P01d S1");
  choice.back();
  expect(choice.taken).toEqual([card("P01d"), use("place")]);
  const other = new Choice(new Pretended(), TABLE);
  await other.open([card("P01d"), use("place"), square("N9")]);
  expect(other.taken).toEqual([card("P01d"), use("place")]);
  expect(other.trouble).toBe(null);
});

test("what is kept of a choice half made is never a step on the way back to it", async () => {
  const kept = [card("P01d"), use("place"), square("S1")];
  const server = new Pretended();
  const answer = server.options.bind(server);
  server.options = async (steps) => {
    if (steps.length === 3) server.failing = new Error("lost");
    return answer(steps);
  };
  const choice = new Choice(server, TABLE);
  let isOpen = false;
  const opening = choice.open(kept).then(() => (isOpen = true));
  // At every moment at which an effect of the page could look.
  const during: boolean[] = [];
  for (; !isOpen; await Promise.resolve()) during.push(choice.isKeepable);
  await opening;
  expect(choice.taken).toEqual([card("P01d"), use("place")]);
  expect(choice.isKeepable).toBe(false);
  expect(during).not.toContain(true);
  server.options = answer;
  server.failing = null;
  await choice.pickSquare("S1");
  expect(choice.taken).toEqual(kept);
  expect(choice.isKeepable).toBe(true);
});

test("pressing the last card of an order does not throw the order away", async () => {
  const names = ["P01d", "P02d", "P03l"];
  const paths = names.flatMap((a) => names.filter((b) => b !== a).map((b) => [a, b, names.find((c) => c !== a && c !== b)!]));
  const moves = Object.fromEntries(paths.map((path) => [`arrange ${path.join(" ")}`, [use("arrange"), ...path.map(card)]]));
  const choice = new Choice(new Pretended(moves), { ...TABLE, phase: "arrange" });
  await choice.open();
  await choice.pickCard("P03l");
  await choice.pickCard("P01d");
  expect(choice.whole).toBe("arrange P03l P01d P02d");
  for (const name of ["P02d", "P03l"]) await choice.pickCard(name);
  expect(choice.whole).toBe("arrange P03l P01d P02d");
});

test("who waits for long is told so", async () => {
  vi.useFakeTimers();
  const server = new Pretended();
  const choice = await opened(server);
  await choice.pickCard("P01d");
  server.held = [];
  void choice.pick("use", "project");
  await vi.advanceTimersByTimeAsync(2400);
  expect(choice.slow).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(choice.slow).toBe(true);
  server.held.forEach((go) => go());
  await vi.advanceTimersByTimeAsync(10);
  expect(choice.slow).toBe(false);
  expect(choice.whole).toBe("project P01d");
  vi.useRealTimers();
});

test("a hint where there is but one use begins after it", async () => {
  const choice = new Choice(new Pretended({ "pick-up P01d": [use("pick-up"), card("P01d")], "pick-up Q02d": [use("pick-up"), card("Q02d")] }), TABLE);
  await choice.open();
  expect(choice.taken).toEqual([use("pick-up")]);
  expect(choice.canGoBack).toBe(false);
  await choice.follow("pick-up Q02d");
  expect(choice.whole).toBe("pick-up Q02d");
});
