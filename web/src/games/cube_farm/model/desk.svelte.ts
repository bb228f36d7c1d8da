/** The desk at which a turn's orders are composed: no drawing, no events of the browser. */
import { Refused } from "$/api/client";
import type { DeckSight, SeatSight, Server } from "../../game";
import { Answers, doubtsIn, isSure, type Doubt, type Forecast } from "./answers.svelte";
import { NO_DRAFTS, type Drafts } from "$/table/drafts";
import { formatOrders, noOrders, parseOrders, type CardOrder, type Orders, type PhaseOrder } from "./orders";
import { boxOf, guessPlaces, layCard, seatOn, sizeOf } from "./plan";
import {
  floorOf,
  FLOORS,
  formatSquare,
  isSame,
  isSeat,
  parseSquare,
  PHASES,
  type EmployeeScore,
  type FarmView,
  type FloorName,
  type Seat,
  type Square,
} from "./view";

/** What the desk is told of the table. */
export interface Sight {
  view: FarmView;
  deck: DeckSight;
  you: string | null;
  mayAct: boolean;
  server: Server<FarmView>;
  drafts?: Drafts;
  seats?: SeatSight[];
}

/** A card in the hand that moves it; `from` is where it lay before, `at` where it would lie. */
export interface Held {
  card: string;
  turn: number;
  at: Square | null;
  from: { phase: number; order: PhaseOrder } | null;
  /** On which square of it the phase's employee sits, by its place among the card's squares. */
  rider: number | null;
  /** The point of the floor it was carried to last. */
  over: Square | null;
  /** What was done with it before it was known where it fits: done then, in its order. */
  waiting: (() => void)[] | null;
}

/** Something for who cannot see it: a key of the words. */
export type Said = { key: string; params: Record<string, string | number> };

const PATIENCE = 70;
/** How far a card that was turned may slip to lie well, in squares. */
const SLIP = 2.3;
/** How near a legal place must be, in squares, for a card to slip into it. */
const PULL = 1.1;

export class Desk {
  sight = $state.raw<Sight>(undefined as unknown as Sight);
  orders = $state<Orders>(noOrders());
  /** The phase composed now (0 to 2). */
  phase = $state(0);
  held = $state<Held | null>(null);
  /** Where the keyboard is on the floor. */
  cursor = $state<Square>({ x: 0, y: 0 });
  /** The empty cube looked at, with what it would bring. */
  glance = $state.raw<{ square: Square; forecast: Forecast | null } | null>(null);
  forecast = $state.raw<Forecast | null>(null);
  said = $state.raw<Said | null>(null);
  refusal = $state.raw<{ code: string; reason: string } | null>(null);
  isSending = $state(false);

  /** The orders that the forecast is for. */
  #forecastOf = $state("");
  /** What the forecast counts in all. */
  #counted = $state.raw<FarmView | null>(null);
  #ghostForecast = $state.raw<Forecast | null>(null);
  #answers = $state.raw(new Answers(() => this.sight.server));
  /** Until the card taken up last is placed. */
  #taking: Promise<void> = Promise.resolve();
  #timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** The floors and the hand for which the answers hold. */
  #position = "";

  constructor(sight: Sight) {
    this.update(sight);
  }

  // -- What the table tells -----------------------------------------------------------------

  /** A new frame. Orders being composed stay as long as the position does. */
  update(sight: Sight): void {
    const mayBefore = this.sight?.mayAct;
    this.sight = sight;
    const position = positionOf(sight);
    if (position === this.#position) {
      if (!mayBefore && sight.mayAct) this.#ask();
      return;
    }
    this.#position = position;
    this.said = null;
    this.#answers = new Answers(() => this.sight.server);
    this.held = this.glance = this.forecast = this.#counted = this.#ghostForecast = this.refusal = null;
    this.#forecastOf = "";
    this.orders = this.#kept() ?? (this.sentText === null ? noOrders() : parseOrders(this.sentText));
    this.choosePhase(0);
  }

  /** What was being composed when the page was left, as far as it can still be ordered. */
  #kept(): Orders | null {
    const text = this.seat && !this.sight.view.over ? this.#drafts.read(this.sight.view.turn) : null;
    if (text === null) return null;
    const orders = parseOrders(text);
    return orders.every(({ card }) => !card || this.hand.includes(card.card)) ? orders : null;
  }

  get #drafts(): Drafts {
    return this.sight.drafts ?? NO_DRAFTS;
  }

  get seat(): Seat | null {
    return isSeat(this.sight.you) ? this.sight.you : null;
  }

  get mayAct(): boolean {
    return this.sight.mayAct && this.seat !== null && !this.sight.view.over;
  }

  get hand(): string[] {
    return this.seat ? this.sight.view.hands[this.seat] : [];
  }

  /** The orders sealed on the server, as text. */
  get sentText(): string | null {
    return this.seat ? (this.sight.view.orders[this.seat] ?? null) : null;
  }

  get text(): string {
    return formatOrders(this.orders);
  }

  /** A card in the hand that moves it is not sealed, wherever it comes from. */
  get isChanged(): boolean {
    return this.held !== null || this.sentText !== this.text;
  }

  get order(): PhaseOrder {
    return this.orders[this.phase] ?? { card: null, employee: null };
  }

  /** The orders with the card that is being moved where it is, if it fits there. */
  get textSeen(): string {
    const { ghost, held } = this;
    if (!held || !ghost || !this.ghostFits) return this.text;
    return formatOrders(this.orders.map((order, place) => (place === this.phase ? this.#laid(order, ghost, held.rider) : order)));
  }

  /** Whether the forecast is for what is seen now. */
  get isForecast(): boolean {
    return this.#forecastOf === this.textSeen;
  }

  /** The phases for which something is ordered. */
  get ordered(): number {
    return this.orders.filter((order) => order.card || order.employee).length;
  }

  /** The floor of the phase composed now. */
  get floor(): FloorName {
    return this.floorIn(this.phase);
  }

  /** For who only watches, the floors themselves take the place of the phases. */
  floorIn(phase: number): FloorName {
    return this.seat ? floorOf(this.sight.view, this.seat, phase + 1) : (FLOORS[phase] ?? "top");
  }

  /** In which phase a card is ordered already, if it is. */
  phaseOf(card: string): number | null {
    const place = this.orders.findIndex((order) => order.card?.card === card);
    return place < 0 ? null : place;
  }

  /** The card drawn over the floor: the one held, else the one ordered. */
  get ghost(): CardOrder | null {
    if (this.held) return this.held.at && { card: this.held.card, turn: this.held.turn, square: this.held.at };
    return this.order.card;
  }

  /** Whether it fits there as the floor stands; `null` if that is not known yet. */
  get ghostFits(): boolean | null {
    return this.ghost && this.#answers.fits(this.phase, this.ghost);
  }

  // -- Choosing where to look -----------------------------------------------------------------

  choosePhase(phase: number): void {
    if (phase !== this.phase) this.cancel();
    this.phase = phase;
    this.glance = null;
    this.cursor = this.order.employee ?? this.order.card?.square ?? { x: 0, y: 0 };
    this.#ask();
  }

  chooseFloor(floor: FloorName): void {
    this.choosePhase(this.seat ? this.sight.view.floors[floor].phases[this.seat] - 1 : FLOORS.indexOf(floor));
  }

  // -- Cards ------------------------------------------------------------------------------------

  /** Take a card up, from the hand or from where it was ordered to. */
  async take(card: string): Promise<void> {
    if (!this.mayAct || !this.hand.includes(card)) return;
    this.cancel();
    const phase = this.phaseOf(card);
    const from = phase === null ? null : (this.orders[phase] ?? null);
    const order = from?.card ?? null;
    const rider = from && this.#rider(from);
    this.held = {
      card,
      turn: order?.turn ?? 0,
      at: phase === this.phase && order ? order.square : null,
      from: phase !== null && from ? { phase, order: from } : null,
      rider,
      over: null,
      waiting: [],
    };
    // Who sits on the card goes with it.
    if (phase !== null) this.#set(phase, { card: null, ...(rider === null ? {} : { employee: null }) });
    // Where it fits is known already, as a rule: then nothing is waited for.
    if (this.#knows(card)) this.#begin(this.held);
    else {
      if (!this.held.at) this.#guess(this.held);
      await (this.#taking = this.#place(this.held));
    }
  }

  #knows(card: string): boolean {
    return [0, 1, 2, 3].every((turn) => this.#answers.places(this.phase, card, turn) !== undefined);
  }

  async #place(held: Held): Promise<void> {
    await this.#answers.findPlaces(this.phase, held.card);
    if (this.held === held) this.#begin(held);
  }

  #begin(held: Held): void {
    const isGuess = held.at !== null && held.from?.phase !== this.phase && !held.over;
    if (held.over) this.#slip(held, held.over);
    else if (!held.at || (isGuess && this.ghostFits === false)) this.#suggest(held);
    else if (isGuess) {
      this.#sayGhost();
      this.#foretell();
    }
    const waiting = held.waiting ?? [];
    held.waiting = null;
    for (const work of waiting) work();
  }

  #whenPlaced(work: (held: Held) => void): void {
    const held = this.held;
    if (held?.waiting) held.waiting.push(() => this.held === held && work(held));
    else if (held) work(held);
  }

  /** Move the held card: its middle over this point of the floor. It slips into a legal place nearby. */
  carry(x: number, y: number): void {
    const held = this.held;
    if (!held || held.waiting?.length) return;
    held.over = { x, y };
    this.#slip(held, held.over);
  }

  #slip(held: Held, { x, y }: Square): void {
    const { width, height } = sizeOf(this.sight.deck, held.card, held.turn);
    const [left, top] = [x - width / 2, y - height / 2];
    const exact = { x: Math.round(left), y: Math.round(top) };
    this.#moveTo(nearestOf(this.places(held.card, held.turn).map(parseSquare), left, top, PULL) ?? exact);
  }

  shift(dx: number, dy: number): void {
    this.#whenPlaced((held) => {
      held.over = null;
      if (held.at) this.#moveTo({ x: held.at.x + dx, y: held.at.y + dy });
    });
  }

  /** To the next place where the card fits as it is turned, or the one before. */
  nextPlace(by: number): void {
    this.#whenPlaced((held) => {
      const places = this.places(held.card, held.turn);
      const at = held.at ? places.indexOf(formatSquare(held.at)) : -1;
      const next = places[after(at, by, places.length)];
      held.over = null;
      if (next === undefined) this.#say("said.nowhere");
      else this.#moveTo(parseSquare(next));
    });
  }

  /** A quarter turn clockwise for each; the card stays about where it is. */
  async turn(by: number): Promise<void> {
    if (!this.mayAct) return;
    const held = this.held;
    if (held) {
      held.turn = (held.turn + by + 4) % 4;
      const size = sizeOf(this.sight.deck, held.card, held.turn);
      if (held.at && this.ghostFits === false) this.carry(held.at.x + size.width / 2, held.at.y + size.height / 2);
      this.#lookAtGhost();
    } else if (this.order.card) {
      const [card, phase] = [this.order.card, this.phase];
      const turned = { ...card, turn: (card.turn + by + 4) % 4 };
      this.#lay(phase, turned);
      const text = this.text;
      await this.#answers.findPlaces(phase, card.card);
      // It slips to where it lies well, if that is not far.
      if (this.phase === phase && this.text === text && this.ghostFits === false) {
        const near = this.#nearest(turned, turned.turn, SLIP);
        if (near) this.#lay(phase, { ...turned, square: near });
      }
    }
    this.#sayGhost();
  }

  /** The legal place for a card so turned that is nearest to where it lies, within reach. */
  #nearest(order: CardOrder, turn: number, reach: number): Square | null {
    const [before, after] = [sizeOf(this.sight.deck, order.card, order.turn), sizeOf(this.sight.deck, order.card, turn)];
    const [x, y] = [order.square.x + (before.width - after.width) / 2, order.square.y + (before.height - after.height) / 2];
    return nearestOf(this.places(order.card, turn).map(parseSquare), x, y, reach);
  }

  /** On which square of the card of a phase its employee sits, if on one. */
  #rider({ card, employee }: PhaseOrder): number | null {
    return card && employee ? seatOn(this.sight.deck, card.card, card.square, card.turn, employee) : null;
  }

  /** A phase's order with its card laid here, and whoever sat on the card with it. */
  #laid(order: PhaseOrder, card: CardOrder, rider: number | null): PhaseOrder {
    const seat = rider === null ? undefined : layCard(this.sight.deck, card.card, card.square, card.turn)[rider];
    // Who sat on another card that goes back to the hand has no seat any more.
    const stays = order.card && this.#rider(order) !== null ? null : order.employee;
    return { card, employee: seat ? { x: seat.x, y: seat.y } : stays };
  }

  #lay(phase: number, card: CardOrder, rider?: number | null): void {
    const order = this.orders[phase];
    if (order) this.#set(phase, this.#laid(order, card, rider === undefined ? this.#rider(order) : rider));
  }

  /** Put the held card down where it is. */
  drop(): void {
    this.#whenPlaced(() => this.#layDown());
  }

  #layDown(): void {
    const order = this.ghost;
    if (!order) return;
    const fits = this.ghostFits;
    const rider = this.held?.rider ?? null;
    this.held = this.#ghostForecast = null;
    // One card for a phase: another one goes back to the hand.
    this.#lay(this.phase, order, rider);
    this.cursor = order.square;
    const params = { card: order.card, square: formatSquare(order.square), phase: this.phase + 1 };
    this.#say(fits === false ? "said.dropped-lost" : "said.dropped", params);
  }

  /** Put the held card back to where it came from. */
  cancel(): void {
    const held = this.held;
    this.held = this.#ghostForecast = null;
    if (held) this.refusal = null;
    if (held?.from) this.#set(held.from.phase, held.from.order);
    else if (held) this.#foretell();
  }

  removeCard(phase: number): void {
    this.held = this.#ghostForecast = null;
    const order = this.orders[phase];
    this.#set(phase, { card: null, ...(order && this.#rider(order) !== null ? { employee: null } : {}) });
    this.#say("said.card-removed", { phase: phase + 1 });
  }

  /** As chosen from lists: a card, where it fits first. */
  async orderCard(phase: number, card: string | null): Promise<void> {
    this.choosePhase(phase);
    if (card === null) return this.removeCard(phase);
    const taken = this.take(card);
    this.drop();
    await taken;
  }

  orderPlace(phase: number, square: Square, turn: number): void {
    const order = this.orders[phase]?.card;
    if (!order) return;
    this.choosePhase(phase);
    const isFitting = turn === order.turn || this.places(order.card, turn).includes(formatSquare(square));
    const fitting = isFitting ? square : (this.#nearest(order, turn, Infinity) ?? square);
    this.#lay(phase, { ...order, square: fitting, turn });
  }

  /** The north-west squares where a card fits in a phase; none until they are known. */
  places(card: string, turn: number, phase = this.phase): string[] {
    return this.#answers.places(phase, card, turn) ?? [];
  }

  // -- Employees --------------------------------------------------------------------------------

  /** Put this phase's employee into the cube of a square, or nowhere. */
  employ(square: Square | null, phase = this.phase): void {
    if (!this.mayAct) return;
    this.#set(phase, { employee: square });
    this.glance = null;
    if (square) {
      this.cursor = square;
      this.#say("said.employed", { square: formatSquare(square), phase: phase + 1 });
    } else this.#say("said.employee-removed", { phase: phase + 1 });
  }

  /** One square of each cube that can be taken in a phase, after its card. */
  cubes(phase = this.phase): string[] {
    return this.#answers.cubes(phase, this.orders[phase]?.card ?? null) ?? [];
  }

  /** Whether the server still has to say which cubes these are. */
  isAsking(phase: number): boolean {
    return this.mayAct && this.#answers.cubes(phase, this.orders[phase]?.card ?? null) === undefined;
  }

  async nextCube(by: number): Promise<void> {
    const phase = this.phase;
    await this.#answers.findCubes(phase, this.order.card);
    if (phase !== this.phase || this.held) return;
    const cubes = this.cubes();
    const next = cubes[after(cubes.indexOf(formatSquare(this.cursor)), by, cubes.length)];
    if (next === undefined) return this.#say("said.no-cubes");
    this.cursor = parseSquare(next);
    void this.look(this.cursor);
  }

  /** Look at a cube that might be taken: its walk and what it would bring. */
  async look(square: Square | null): Promise<void> {
    if (square === null || !this.mayAct) {
      this.glance = null;
      return;
    }
    if (isSame(this.glance?.square ?? null, square)) return;
    const mine = (this.glance = { square, forecast: null });
    const forecast = await this.#answers.try(this.#only({ card: this.order.card, employee: square }));
    if (this.glance === mine) this.glance = { square, forecast };
  }

  // -- What would come of it ----------------------------------------------------------------------

  /** What speaks against the orders as they are now; of earlier ones nothing is said any more. */
  get doubts(): Doubt[] {
    return this.#forecastOf === this.text ? doubtsIn(this.forecast) : [];
  }

  /** Why the held card does not fit where it is. */
  get ghostDoubt(): Doubt | null {
    if (!this.held) return this.doubts.find((doubt) => doubt.phase === this.phase + 1 && isLoss(doubt)) ?? null;
    return doubtsIn(this.#ghostForecast).find(isLoss) ?? null;
  }

  /** Whether the employee ordered in this phase would be lost as the floor stands. */
  get isEmployeeLost(): boolean {
    return this.doubts.some((d) => d.phase === this.phase + 1 && d.part === "employee" && isSure(d));
  }

  /** The points that a department would win by the orders composed: in all, but for what is lost in every turn
   * imagined; or on one floor, if nobody gets in the way. */
  gain(seat: Seat, floor?: FloorName): number {
    if (floor === undefined) return this.#counted ? this.#counted.points[seat] - this.sight.view.points[seat] : 0;
    const after = this.forecast?.preview?.view;
    if (!after) return 0;
    const sum = (view: FarmView) =>
      view.floors[floor].employees.filter((e) => e.seat === seat).reduce((total, e) => total + e.total, 0);
    return sum(after) - sum(this.sight.view);
  }

  /** The score of the employee whose cube has this square in a forecast. */
  scoreIn(forecast: Forecast | null, phase: number, square: Square | null): EmployeeScore | null {
    if (!square || !forecast?.preview) return null;
    const name = formatSquare(square);
    const employees = forecast.preview.view.floors[this.floorIn(phase)].employees;
    return employees.find((employee) => employee.seat === this.seat && employee.cube.includes(name)) ?? null;
  }

  // -- Sending --------------------------------------------------------------------------------

  /** Where a turn has a deadline: whether one's own orders are missing, only saved, or ready. */
  get progress(): "ready" | "saved" | "missing" | null {
    return this.sight.seats?.find((seat) => seat.is_you)?.orders ?? null;
  }

  /** Saved orders count at the deadline; the turn is carried out before it only when all are ready. */
  async send(ready?: boolean): Promise<boolean> {
    if (!this.mayAct || this.isSending) return false;
    this.isSending = true;
    this.refusal = null;
    const position = this.#position;
    try {
      // A card let go of already is meant to be sent too, and so is one that is shown where it fits.
      if (this.held?.waiting?.length) await this.#taking;
      if (this.held && !this.ghostFits) {
        this.refusal = { code: "held", reason: "" };
        return false;
      }
      if (this.held) this.#layDown();
      await (ready === undefined ? this.sight.server.play(this.text) : this.sight.server.play(this.text, ready));
      this.#drafts.done(this.sight.view.turn);
      // Of a turn that these orders were the last for it is told already.
      if (this.#position === position) this.#say(ready === false ? "said.saved" : "said.sent");
      return true;
    } catch (error) {
      const refused = error instanceof Refused;
      this.refusal = refused ? { code: error.code, reason: error.reason } : { code: "unreachable", reason: "" };
      return false;
    } finally {
      this.isSending = false;
    }
  }

  /** Orders in place of those composed: sent ones, a hint, none. */
  compose(text: string): void {
    this.held = this.glance = this.#ghostForecast = this.refusal = null;
    this.orders = parseOrders(text);
    this.#keep();
    this.#ask();
  }

  // -- Behind the desk ------------------------------------------------------------------------

  #say(key: string, params: Said["params"] = {}): void {
    this.said = { key, params };
  }

  #sayGhost(): void {
    if (!this.ghost) return;
    const params = { square: formatSquare(this.ghost.square), turn: this.ghost.turn };
    this.#say(this.ghostFits === false ? "said.ghost-lost" : "said.ghost", params);
  }

  #set(phase: number, change: Partial<PhaseOrder>): void {
    const order = this.orders[phase];
    if (!order) return;
    this.orders[phase] = { ...order, ...change };
    this.refusal = this.glance = null;
    this.#keep();
    this.#ask();
  }

  /** What differs from the orders sealed is worth keeping. A card in the hand that moves it is not put
   * down yet: should the page be left now, it lies where it lay. */
  #keep(): void {
    if (!this.held) this.#drafts.write(this.sight.view.turn, this.text === (this.sentText ?? "nothing") ? null : this.text);
  }

  #moveTo(square: Square): void {
    const held = this.held;
    if (!held || isSame(held.at, square)) return;
    held.at = this.cursor = square;
    this.refusal = null;
    this.#lookAtGhost();
    this.#sayGhost();
    this.#foretell();
  }

  /** Until it is known where a card fits, it appears where it might. */
  #guess(held: Held): void {
    const tiles = this.sight.view.floors[this.floor].squares.map((item) => parseSquare(item.square));
    const size = sizeOf(this.sight.deck, held.card, held.turn);
    const box = boxOf(tiles);
    const [x, y] = [(box.left + box.right + 1 - size.width) / 2, (box.top + box.bottom + 1 - size.height) / 2];
    held.at = nearestOf(guessPlaces(tiles, size), x, y, Infinity);
  }

  /** Where a card just taken up appears: the legal place nearest to the middle of the floor; beside the
   * floor if there is none, for others may come first and make room. */
  #suggest(held: Held): void {
    const box = boxOf(this.sight.view.floors[this.floor].squares.map((item) => parseSquare(item.square)));
    const turns = [0, 1, 2, 3].map((more) => (held.turn + more) % 4);
    const turn = turns.find((one) => this.places(held.card, one).length);
    if (turn === undefined) {
      this.#moveTo({ x: box.right + 1, y: box.top });
      return this.#say("said.nowhere");
    }
    held.turn = turn;
    const size = sizeOf(this.sight.deck, held.card, turn);
    const [x, y] = [(box.left + box.right + 1 - size.width) / 2, (box.top + box.bottom + 1 - size.height) / 2];
    const nearest = nearestOf(this.places(held.card, turn).map(parseSquare), x, y, Infinity);
    if (nearest) this.#moveTo(nearest);
  }

  /** Ask what is not known yet: places, cubes and the forecast. */
  #ask(): void {
    if (!this.mayAct) return;
    for (let phase = 0; phase < PHASES; phase += 1) {
      void this.#answers.findCubes(phase, this.orders[phase]?.card ?? null);
    }
    void this.#answers.ahead([this.phase, ...[0, 1, 2].filter((phase) => phase !== this.phase)], this.hand);
    this.#foretell();
  }

  #foretell(): void {
    const text = this.textSeen;
    if (text === this.#forecastOf) return;
    this.#later("forecast", async () => {
      const forecast = text === "nothing" ? null : await this.#answers.tryAll(text);
      if (this.textSeen !== text) return;
      const counted = forecast && (await this.#countedIn(forecast));
      if (this.textSeen !== text) return;
      this.forecast = forecast;
      this.#counted = counted;
      this.#forecastOf = text;
    });
  }

  /** The table after a forecast in which nothing counts that was lost in every turn imagined. */
  async #countedIn(forecast: Forecast): Promise<FarmView | null> {
    const lost = doubtsIn(forecast).filter((doubt) => doubt.code === "imagined" && isSure(doubt));
    if (!lost.length) return forecast.preview?.view ?? null;
    const isLost = (place: number, part: Doubt["part"]) => lost.some((doubt) => doubt.phase === place + 1 && doubt.part === part);
    const left = parseOrders(forecast.text).map(({ card, employee }, place) => ({
      card: isLost(place, "card") ? null : card,
      employee: isLost(place, "employee") ? null : employee,
    }));
    const text = formatOrders(left);
    return text === "nothing" ? this.sight.view : ((await this.#answers.try(text)).preview?.view ?? null);
  }

  #lookAtGhost(): void {
    this.#ghostForecast = null;
    if (!this.ghost || this.ghostFits !== false) return;
    const text = this.#only({ card: this.ghost, employee: null });
    this.#later("ghost", async () => {
      const forecast = await this.#answers.try(text);
      if (this.ghost && this.#only({ card: this.ghost, employee: null }) === text) this.#ghostForecast = forecast;
    });
  }

  /** Orders for this phase alone. */
  #only(order: PhaseOrder): string {
    return formatOrders(noOrders().map((none, place) => (place === this.phase ? order : none)));
  }

  #later(what: string, work: () => Promise<void>): void {
    clearTimeout(this.#timers.get(what));
    this.#timers.set(
      what,
      setTimeout(() => void work(), PATIENCE),
    );
  }
}

function isLoss(doubt: Doubt): boolean {
  return doubt.part === "card" && doubt.code !== "imagined";
}

/** The next place of a list, round about; from nowhere its first or last. */
function after(at: number, by: number, length: number): number {
  return at < 0 ? (by > 0 ? 0 : length - 1) : (at + by + length) % length;
}

/** The nearest of some squares to a point, within reach. */
function nearestOf(squares: Square[], x: number, y: number, reach: number): Square | null {
  return (
    squares
      .map((square) => ({ square, far: Math.hypot(square.x - x, square.y - y) }))
      .filter(({ far }) => far <= reach)
      .sort((a, b) => a.far - b.far)[0]?.square ?? null
  );
}

function positionOf({ view, you }: Sight): string {
  const floors = FLOORS.map((name) => view.floors[name]);
  const counts = floors.map((floor) => [floor.cards.length, floor.squares.length, floor.employees.length]);
  return JSON.stringify([you, view.turn, isSeat(you) ? view.hands[you] : null, counts]);
}
