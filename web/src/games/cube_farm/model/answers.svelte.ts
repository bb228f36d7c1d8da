/** What the server has said about one position: where cards fit, which cubes are free, what orders would
 * come to. Each is asked once; a new position begins with new answers. */
import { Refused } from "$/api/client";
import type { GameEvent, Preview, Server } from "../../game";
import type { CardOrder } from "./orders";
import { formatSquare, type FarmView } from "./view";

/** Orders on the floors as they stand; or why they cannot even be tried. */
export interface Forecast {
  text: string;
  preview: Preview<FarmView> | null;
  refusal: { code: string; phase: number } | null;
}

/** Why a part of an order would be lost now, or how often it was lost in the turns imagined. */
export interface Doubt {
  phase: number;
  part: "card" | "employee";
  code: string;
  params: Record<string, unknown>;
}

export class Answers {
  #server: () => Server<FarmView>;
  #places = $state<Record<string, string[]>>({});
  #cubes = $state<Record<string, string[]>>({});
  #tried = new Map<string, Promise<Forecast>>();
  #waiting = new Map<string, Promise<void>>();
  #round = 0;

  constructor(server: () => Server<FarmView>) {
    this.#server = server;
  }

  /** The north-west squares where a card fits in a phase (0 to 2); nothing until they are known. */
  places(phase: number, card: string, turn: number): string[] | undefined {
    return this.#places[`${phase} ${card} ${turn}`];
  }

  fits(phase: number, { card, turn, square }: CardOrder): boolean | null {
    return this.places(phase, card, turn)?.includes(formatSquare(square)) ?? null;
  }

  /** Ask ahead where cards fit, one card after the other, so that choosing one is answered at once. */
  async ahead(phases: readonly number[], cards: readonly string[]): Promise<void> {
    const mine = (this.#round += 1);
    for (const phase of phases) {
      for (const card of cards) {
        await this.findPlaces(phase, card);
        // Another phase is worked at by now: its cards come first.
        if (mine !== this.#round) return;
      }
    }
  }

  async findPlaces(phase: number, card: string): Promise<void> {
    await Promise.all(
      [0, 1, 2, 3].map(async (turn) => {
        const key = `${phase} ${card} ${turn}`;
        if (this.#places[key] !== undefined) return;
        await this.#ask(key, [...stepsTo(phase), card, `turn ${turn}`], (found) => (this.#places[key] = found));
      }),
    );
  }

  /** One square of each cube that can be taken in a phase after its card, nothing until that is known; a
   * card that does not fit changes nothing. */
  cubes(phase: number, card: CardOrder | null): string[] | undefined {
    return card && this.fits(phase, card) === null ? undefined : this.#cubes[this.#cubeKey(phase, card)];
  }

  async findCubes(phase: number, card: CardOrder | null): Promise<void> {
    if (card) await this.findPlaces(phase, card.card);
    const key = this.#cubeKey(phase, card);
    if (this.#cubes[key] !== undefined) return;
    const laid = card && this.fits(phase, card);
    const choice = laid ? [card.card, `turn ${card.turn}`, formatSquare(card.square)] : ["no-card"];
    await this.#ask(key, [...stepsTo(phase), ...choice], (found) => {
      this.#cubes[key] = found.filter((name) => name !== "no-employee");
    });
  }

  #cubeKey(phase: number, card: CardOrder | null): string {
    const laid = card && this.fits(phase, card) === true;
    return `cubes ${phase} ${laid ? `${card.card} ${card.turn} ${formatSquare(card.square)}` : ""}`;
  }

  try(text: string): Promise<Forecast> {
    const known = this.#tried.get(text);
    if (known) return known;
    const asked = this.#server()
      .preview(text)
      .then(
        (preview): Forecast => ({ text, preview, refusal: null }),
        (error: unknown): Forecast => {
          if (error instanceof Refused) return { text, preview: null, refusal: { code: error.code, phase: Number(text[0]) } };
          this.#tried.delete(text);
          return { text, preview: null, refusal: null };
        },
      );
    this.#tried.set(text, asked);
    return asked;
  }

  /** The forecast for a whole set; if it is refused, for the part of it that is to blame: the card or the
   * employee of a phase, so that nobody is told of the wrong one. */
  async tryAll(text: string): Promise<Forecast> {
    const forecast = await this.try(text);
    if (!forecast.refusal) return forecast;
    const phases = await Promise.all(text.split("; ").map((phase) => this.try(phase)));
    const blamed = phases.find((phase) => phase.refusal);
    if (!blamed) return forecast;
    const [, card, employee] = /^(\d: card .*?)(?: employee (\w+))?$/.exec(blamed.text) ?? [];
    if (card === undefined || employee === undefined) return blamed;
    const alone = await this.try(card);
    if (alone.refusal) return alone;
    return { ...blamed, text: `${blamed.text[0]}: employee ${employee}` };
  }

  /** Ask for the values that may come next, once at a time; nothing is kept if nobody answers. */
  #ask(key: string, steps: string[], keep: (found: string[]) => void): Promise<void> {
    const waiting = this.#waiting.get(key);
    if (waiting) return waiting;
    const asked = this.#server()
      .options(steps)
      .then(
        (options) => keep(options.next.map((step) => step.value)),
        () => {},
      )
      .finally(() => this.#waiting.delete(key));
    this.#waiting.set(key, asked);
    return asked;
  }
}

function stepsTo(phase: number): string[] {
  const before = Array.from({ length: phase }, (_, place) => [`phase ${place + 1}`, "no-card", "no-employee"]);
  return [...before.flat(), `phase ${phase + 1}`];
}

/** What speaks against orders. */
export function doubtsIn(forecast: Forecast | null): Doubt[] {
  if (forecast?.refusal) {
    const part = forecast.text.includes("card") ? "card" : "employee";
    return [{ ...forecast.refusal, part, params: named(forecast.text) }];
  }
  return (forecast?.preview?.events ?? []).flatMap((event) => doubtOf(event) ?? []);
}

/** Lost as the floors stand, or in every turn imagined: what is not to be counted on. */
export function isSure({ code, params }: Doubt): boolean {
  return code !== "imagined" || params["lost"] === params["of"];
}

/** What a phase's orders name. */
function named(text: string): Record<string, string> {
  const card = /card (\d+) (\w+)/.exec(text);
  return { card: card?.[1] ?? "", square: card?.[2] ?? /employee (\w+)/.exec(text)?.[1] ?? "" };
}

function doubtOf({ code, params }: GameEvent): Doubt | null {
  const phase = Number(params["phase"]);
  if (code === "lost-card") return { phase, part: "card", code: String(params["reason"]), params };
  if (code === "lost-employee") return { phase, part: "employee", code: String(params["reason"]), params };
  if (code !== "imagined" || params["lost"] === 0) return null;
  return { phase, part: params["part"] === "card" ? "card" : "employee", code, params };
}

