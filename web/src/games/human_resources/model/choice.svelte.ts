/** A move in the making: which steps are taken, what may follow, what it would do. No DOM, no rules:
 * what is possible comes from the server, step by step. One funnel for change, and late answers to
 * questions that no longer stand are dropped. */
import type { Options, Preview, Server, Step, Verdict } from "../../game";
import { DIRECTIONS, shifted } from "./floor";
import { abilityOf, isFace, kindOf, type OfficeView } from "./view";

interface Draft {
  taken: Step[];
  next: Step[];
  /** Squares on which the card picked could be placed, before placing was chosen. */
  reach: string[];
  whole: string | null;
  preview: Preview<OfficeView> | null;
  /** Why the picked card's own use is not possible, where it is not. */
  denied: Verdict | null;
}

/** After so long without an answer it is said, in milliseconds. */
const PATIENCE = 2500;

const NOTHING: Draft = { taken: [], next: [], reach: [], whole: null, preview: null, denied: null };

export class Choice {
  #draft: Draft = $state.raw(NOTHING);
  #before: Draft[] = $state.raw([]);
  #serial = 0;
  /** The press that is still being answered, or the last that waits for it. */
  #last: Promise<unknown> | null = null;
  /** How often something was taken back, and with it all presses that waited. */
  #takenBack = 0;
  #looks = new Map<string, Promise<Preview<OfficeView> | null>>();
  /** What was asked already, and what is likely to be asked next: answers wait here. */
  #known = new Map<string, Promise<Options>>();
  #denials = new Map<string, Promise<Verdict | null>>();
  #late: ReturnType<typeof setTimeout> | undefined;
  busy = $state(false);
  /** What was half made before is being taken up again, step by step. */
  #resuming = $state(false);
  /** Sent, and the table after it has not come yet. */
  sent = $state(false);
  /** An answer takes long: whoever waits is told. */
  slow = $state(false);
  trouble: Error | null = $state.raw(null);
  /** What a square under the pointer or cursor would bring. */
  glance: Preview<OfficeView> | null = $state.raw(null);

  constructor(
    readonly server: Server<OfficeView>,
    readonly view: OfficeView,
  ) {}

  get taken(): Step[] {
    return this.#draft.taken;
  }
  get next(): Step[] {
    return this.#draft.next;
  }
  get whole(): string | null {
    return this.#draft.whole;
  }
  get preview(): Preview<OfficeView> | null {
    return this.#draft.preview;
  }
  get denied(): Verdict | null {
    return this.#draft.denied;
  }
  /** What is taken now is what somebody chose, not a step on the way to it, nor what a lost answer left of it. */
  get isKeepable(): boolean {
    return !this.sent && !this.busy && !this.#resuming && this.trouble === null && this.taken.length + this.next.length > 0;
  }
  get canGoBack(): boolean {
    return this.#before.length > 0 && !this.sent;
  }

  /** The card that the move begins with, once picked. */
  readonly card = $derived.by(() => {
    const [first] = this.#draft.taken;
    return first?.kind === "card" ? first.value : null;
  });
  readonly use = $derived(this.#draft.taken.find((step) => step.kind === "use")?.value ?? null);
  readonly uses = $derived(values(this.#draft.next, "use"));
  readonly cards = $derived(new Set(values(this.#draft.next, "card")));
  readonly squares = $derived(new Set([...values(this.#draft.next, "square"), ...this.#draft.reach]));
  readonly directions = $derived(values(this.#draft.next, "direction"));
  readonly distances = $derived(values(this.#draft.next, "distance").map(Number).sort((a, b) => a - b));
  /** Projects that the move would complete and may leave incomplete. */
  readonly leavable = $derived(values(this.#draft.next, "leave"));
  readonly overtime = $derived(values(this.#draft.next, "overtime"));
  readonly pickedSquares = $derived(values(this.#draft.taken, "square"));
  /** Cards named after the first: what is exchanged, taken, or put back, in order. */
  readonly pickedCards = $derived(values(this.#draft.taken, "card").slice(this.card === null ? 0 : 1));
  readonly direction = $derived(this.#draft.taken.find((step) => step.kind === "direction")?.value ?? null);

  /** Ask what there is to choose, at the start of a turn, and what each card could do, so that choosing one
   * needs no answer; nothing begun is lost by asking again. `kept` is a choice half made before. */
  open(kept: Step[] = []): Promise<void> {
    return this.#inTurn(async () => {
      if (this.taken.length > 0 || this.next.length > 0 || this.sent) return;
      this.#resuming = true;
      await this.#go([]);
      for (const card of this.cards) void this.#aboutCard({ kind: "card", value: card }).catch(() => {});
      await this.#resume(kept);
      this.#resuming = false;
    });
  }

  /** Take the same steps again, as far as they are still offered. */
  async #resume(kept: Step[]): Promise<void> {
    for (let step = kept[this.taken.length]; step !== undefined; step = kept[this.taken.length]) {
      const { kind, value } = step;
      const before = this.taken.length;
      const isOffered = this.next.some((one) => one.kind === kind && one.value === value);
      if (!isOffered || this.trouble !== null) return;
      await this.#take([step]);
      if (this.taken.length <= before) return;
    }
  }

  pick(kind: string, value: string): Promise<void> {
    return this.#inTurn(async () => {
      const isOffered = this.next.some((step) => step.kind === kind && step.value === value);
      if (isOffered) await this.#take([{ kind, value }]);
    });
  }

  /** A card anywhere on the table: part of the move if it can be, else the beginning of another. */
  pickCard(card: string): Promise<void> {
    return this.#inTurn(async () => {
      if (this.cards.has(card)) return this.#take([{ kind: "card", value: card }]);
      if (this.card === card) return this.#restart();
      // Already part of the move: an order of four is not thrown away by pressing its last card.
      if (this.pickedCards.includes(card)) return undefined;
      const begin = this.#before[0] ?? this.#draft;
      if (!values(begin.next, "card").includes(card) || this.sent) return undefined;
      this.#draft = begin;
      this.#before = [];
      return this.#take([{ kind: "card", value: card }]);
    });
  }

  /** A square: the next step, or where the picked card is placed; the same again confirms. It says whether
   * it meant anything. */
  pickSquare(square: string): Promise<boolean | undefined> {
    // Only what is seen is confirmed: pressing twice before the answer is pressing once.
    const isWhole = this.whole !== null;
    return this.#inTurn(() => this.#onSquare(square, isWhole));
  }

  async #onSquare(square: string, isWhole: boolean): Promise<boolean> {
    const isAgain = this.pickedSquares.at(-1) === square;
    if (values(this.next, "square").includes(square)) await this.#take([{ kind: "square", value: square }]);
    else if (this.whole !== null && isAgain) await (isWhole ? this.confirm() : undefined);
    else if (this.#isOfDirection(square)) await this.#take([{ kind: "distance", value: String(this.#distanceTo(square)) }]);
    else if (this.#draft.reach.includes(square)) {
      await this.#take([
        { kind: "use", value: "place" },
        { kind: "square", value: square },
      ]);
    } else {
      // Another square for a card already laid in thought: as if the first had been taken back.
      const last = this.#before.at(-1);
      if (last === undefined || !(values(last.next, "square").includes(square) || last.reach.includes(square))) return false;
      this.#stepBack(last);
      return this.#onSquare(square, false);
    }
    return true;
  }

  /** One press after the other: what one means shows only when the one before it is answered. */
  #inTurn<T>(press: () => Promise<T>): Promise<T | undefined> {
    const since = this.#takenBack;
    const turn = this.#last === null ? press() : this.#last.then(() => (since === this.#takenBack ? press() : undefined));
    this.#last = turn;
    void turn.finally(() => {
      if (this.#last === turn) this.#last = null;
    });
    return turn;
  }

  #isOfDirection(square: string): boolean {
    return this.distances.includes(this.#distanceTo(square));
  }

  /** How far the first square picked would shift to lie on this one. */
  #distanceTo(square: string): number {
    return this.distances.find((distance) => this.landing(distance) === square) ?? 0;
  }

  /** Where the first square picked comes to lie after so many squares. */
  landing(distance: number): string | null {
    const [first] = this.pickedSquares;
    if (first === undefined || this.direction === null) return null;
    return shifted(first, this.direction, distance);
  }

  /** Make a whole move of another's at once, to look at it before it is sent. */
  follow(move: string): Promise<void> {
    return this.#inTurn(() => {
      this.#restart();
      // Where there is but one use, it is taken already.
      return this.#take(stepsOf(move).slice(this.taken.length));
    });
  }

  back(): void {
    const last = this.#before.at(-1);
    if (last === undefined || this.sent) return;
    this.#takenBack += 1;
    this.#last = null;
    this.#stepBack(last);
  }

  #stepBack(last: Draft): void {
    this.#serial += 1;
    this.#before = this.#before.slice(0, -1);
    this.#settle(last);
  }

  #restart(): void {
    const [first] = this.#before;
    if (first === undefined || this.sent) return;
    this.#serial += 1;
    this.#before = [];
    this.#settle(first);
  }

  async confirm(): Promise<void> {
    if (this.whole === null || this.sent || this.busy) return;
    this.sent = true;
    this.trouble = null;
    this.#waitFor(true);
    try {
      await this.server.play(this.whole);
    } catch (error) {
      this.sent = false;
      this.trouble = error as Error;
    } finally {
      this.#waitFor(false);
    }
  }

  #waitFor(isWaiting: boolean): void {
    clearTimeout(this.#late);
    this.slow = false;
    if (isWaiting) this.#late = setTimeout(() => (this.slow = true), PATIENCE);
  }

  /** Why this square cannot be had: asked only when somebody tries. */
  async whyNot(square: string): Promise<Verdict | null> {
    if (this.card === null || (this.use ?? "place") !== "place") return null;
    const verdict = await this.server.why(`place ${this.card} ${square}`).catch(() => null);
    return verdict?.is_legal === false ? verdict : null;
  }

  /** Look at what placing on a square would do, without choosing it. */
  async look(square: string | null): Promise<void> {
    const placing = this.use === null ? this.#draft.reach : this.use === "place" ? values(this.next, "square") : [];
    const draft = this.#draft;
    if (square === null || this.card === null || !placing.includes(square)) {
      this.glance = null;
      return;
    }
    const move = `place ${this.card} ${square}`;
    const asked = this.#looks.get(move) ?? this.server.preview(move).catch(() => null);
    this.#looks.set(move, asked);
    this.glance = null;
    const found = await asked;
    if (this.#draft === draft) this.glance = found;
  }

  #settle(draft: Draft): void {
    this.#waitFor(false);
    this.busy = false;
    this.trouble = null;
    this.glance = null;
    this.#draft = draft;
  }

  async #take(steps: Step[]): Promise<void> {
    if (this.sent) return;
    this.#before = [...this.#before, this.#draft];
    await this.#go([...this.taken, ...steps]);
  }

  async #go(taken: Step[]): Promise<void> {
    const serial = ++this.#serial;
    this.busy = true;
    this.trouble = null;
    this.glance = null;
    this.#waitFor(true);
    // The choice is seen at once; what follows comes with the answer.
    this.#draft = { ...NOTHING, taken };
    try {
      const draft = await this.#ask(taken);
      if (serial === this.#serial) this.#settle(draft);
    } catch (error) {
      if (serial !== this.#serial) return;
      const last = this.#before.at(-1);
      this.#before = this.#before.slice(0, -1);
      this.#settle(last ?? NOTHING);
      this.trouble = error as Error;
    }
  }

  async #ask(taken: Step[]): Promise<Draft> {
    const [first] = taken;
    if (taken.length === 1 && first?.kind === "card") return this.#aboutCard(first);
    const options = await this.#options(taken);
    const only = options.next.length === 1 && options.whole === null ? options.next[0] : undefined;
    // What leaves no choice is not asked, once somebody has begun.
    if (only !== undefined && (taken.length > 0 || only.kind === "use")) return this.#ask([...taken, only]);
    const preview = options.whole === null ? null : await this.#preview(options.whole);
    return { taken, next: options.next, reach: [], whole: options.whole, preview, denied: null };
  }

  /** A card just picked: its uses, where it could be placed, and why it cannot do what it is made for. */
  async #aboutCard(card: Step): Promise<Draft> {
    const [options, placing] = await Promise.all([this.#options([card]), this.#options([card, { kind: "use", value: "place" }])]);
    const denied = await this.#denial(card.value, values(options.next, "use"));
    const preview = options.whole === null ? null : await this.#preview(options.whole);
    return { taken: [card], next: options.next, reach: values(placing.next, "square"), whole: options.whole, preview, denied };
  }

  #options(steps: Step[]): Promise<Options> {
    const named = steps.map((step) => step.value);
    const key = named.join(" ");
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const asked = this.server.options(named);
    this.#known.set(key, asked);
    // An answer that did not come is asked for again.
    asked.catch(() => this.#known.delete(key));
    return asked;
  }

  async #preview(move: string): Promise<Preview<OfficeView>> {
    return (await this.#looks.get(move)) ?? this.server.preview(move);
  }

  #denial(card: string, uses: string[]): Promise<Verdict | null> {
    const attempt = attemptAt(card, this.view);
    if (attempt === null || uses.some((use) => use !== "place" && use !== "idle")) return Promise.resolve(null);
    const known = this.#denials.get(card);
    if (known !== undefined) return known;
    const asked = this.server.why(attempt).then(
      (verdict) => (verdict.is_legal ? null : verdict),
      () => null,
    );
    this.#denials.set(card, asked);
    return asked;
  }
}

function values(steps: Step[], kind: string): string[] {
  return steps.filter((step) => step.kind === kind).map((step) => step.value);
}

/** A move's steps, as they are taken one by one. */
export function stepsOf(move: string): Step[] {
  const [before = "", overtime] = move.split(" overtime ");
  const [plain = "", left] = before.split(" leave ");
  const [use = "", ...rest] = plain.split(" ");
  const last: Step[] = (left?.split(" ") ?? []).map((value) => ({ kind: "leave", value }));
  if (overtime !== undefined) last.push({ kind: "overtime", value: overtime });
  const step = (value: string): Step[] => {
    if (isFace(value)) return [{ kind: "card", value }];
    if (value in DIRECTIONS) return [{ kind: "direction", value }];
    if (/^[1-9]\d*$/.test(value)) return [{ kind: "distance", value }];
    return value.split("+").map((square) => ({ kind: "square", value: square }));
  };
  const doing: Step = { kind: "use", value: use };
  if (use === "pick-up" || use === "arrange") return [doing, ...rest.flatMap(step)];
  const [card = "", ...after] = rest;
  if (use === "hire" && after[0] === "idle") return [...step(card), { kind: "use", value: "idle" }];
  // After the card of a hire comes what it does, which the card says itself.
  const named = use === "hire" ? after.slice(1) : after;
  return [...step(card), doing, ...named.flatMap(step), ...last];
}

/** A move that uses a card for what it is made for, only to ask why it is refused. */
function attemptAt(card: string, view: OfficeView): string | null {
  if (kindOf(card) === "quota") return `quota ${card}`;
  const [first, second] = view.office.map((cubicle) => cubicle.square);
  switch (abilityOf(card)) {
    case null:
    case "crowdfunding":
    case "overtime":
      return null;
    case "move":
      return `hire ${card} move ${first} ${first}`;
    case "swap":
      return `hire ${card} swap ${first} ${second ?? first}`;
    case "shift":
      return `hire ${card} shift ${first} east 1`;
    case "remove":
      return `hire ${card} remove ${first}`;
    case "exchange":
      return `hire ${card} exchange ${card} ${first}`;
    case "take":
    case "acquisitions":
      return `hire ${card} ${card}`;
    default:
      return `hire ${card}`;
  }
}
