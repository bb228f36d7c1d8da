/** The bots as characters: a name, a portrait (Portrait.svelte), and a word now and then. What they say
 * depends on points that everybody saw and on nothing else. */
import type { Listed } from "$/api/types";
import type { DeckSight, News, Scored } from "$/games/game";
import { t } from "$/words";
import type { Course } from "./ending";
import { moverOf } from "./trace";
import { catalogue, tell, type TableWord } from "./words";

/** Every character that has lines of their own. */
const TALKERS = ["intern", "supervisor", "clerk", "manager", "director"] as const;
type Talker = (typeof TALKERS)[number];
type Occasion = "scores" | "behind" | "wins" | "loses";

/** At most one line in so many moves. */
const SILENCE = 3;
/** Points of somebody else's that are a blow. */
const BLOW = 4;

interface Sitting {
  seat: string;
  kind: string;
  name: string;
}

/** The bot in a seat by its own name (`clerk`), nobody for a person. */
export function botIn(seat: Sitting): string | null {
  return seat.kind === "bot" ? seat.name.replace(/ \(bot\)$/, "") : null;
}

/** A guest who gave no name has the one that was theirs in the language they came with. */
const UNNAMED = /^(?:Guest|Gast)(?= \d+$|$)/;

/** What a seat is called: a bot by its character, two alike with their seat; a guest without a name in the reader's
 * own word. */
export function calledOf(seat: Sitting, seats: readonly Sitting[]): string {
  const name = wordsFor(seat);
  return name !== seat.name && seats.some((other) => other !== seat && wordsFor(other) === name) ? `${name} ${seat.seat}` : name;
}

function wordsFor(seat: Sitting): string {
  const bot = botIn(seat);
  if (bot === null) return seat.kind === "person" ? seat.name.replace(UNNAMED, t("guest.name")) : seat.name;
  const key = `bot.${bot}`;
  return key in catalogue.en ? tell(key as TableWord) : seat.name;
}

/** The same of a table in a list, which says who is a bot by the name alone. */
export function calledInList(table: Pick<Listed, "names" | "seats">): string[] {
  const seats = table.names.map((name, place) => ({ seat: table.seats[place] ?? "", kind: name.endsWith(" (bot)") ? "bot" : "person", name }));
  return seats.map((seat) => calledOf(seat, seats));
}

export interface Line {
  seat: string;
  number: number;
  text: string;
}

/** What happened at once: a move, or a whole turn where orders are sealed. */
export interface Moment {
  number: number;
  mover: string | null;
  scored: readonly { seat: string; points: number }[];
}

export function movesOf(deck: DeckSight, entries: readonly News[], scores: (deck: DeckSight, events: News["events"]) => Scored[]): Moment[] {
  return entries.map((entry) => ({ number: entry.number, mover: moverOf(entry), scored: scores(deck, entry.events) }));
}

/** The turns of a race of points; of each only whoever gained most is worth a word. */
export function turnsOf({ race }: Course): Moment[] {
  const seats = Object.entries(race);
  const turns = Math.max(0, ...seats.map(([, points]) => points.length - 1));
  return Array.from({ length: turns }, (_, turn) => {
    const gains = seats.map(([seat, points]) => ({ seat, points: (points[turn + 1] ?? 0) - (points[turn] ?? 0) }));
    const [best] = gains.sort((a, b) => b.points - a.points);
    return { number: turn + 1, mover: null, scored: best !== undefined && best.points > 0 ? [best] : [] };
  }).filter((moment) => moment.scored.length > 0);
}

interface Played {
  seats: readonly Sitting[];
  moments: readonly Moment[];
  winners: readonly string[] | null;
  /** So many moments from one line to the next. */
  silence?: number;
}

/** All that was said in a match, in order: a function of the record, so that it is the same after a reload. */
export function linesOf({ seats, moments, winners, silence = SILENCE }: Played): Line[] {
  const talkers = seats.flatMap((seat) => {
    const found = TALKERS.find((one) => one === botIn(seat));
    return found === undefined ? [] : [{ seat: seat.seat, bot: found }];
  });
  if (talkers.length === 0) return [];
  const lines: Line[] = [];
  const say = (who: { seat: string; bot: Talker }, occasion: Occasion, number: number) => {
    const choices = tell(`line.${who.bot}.${occasion}`).split("|");
    lines.push({ seat: who.seat, number, text: choices[(number * 7 + lines.length) % choices.length] ?? "" });
  };
  let last = -silence;
  for (const [place, { number, mover, scored }] of moments.entries()) {
    if (scored.length === 0 || place - last < silence) continue;
    const proud = talkers.find((one) => scored.some((score) => score.seat === one.seat));
    // Somebody else has scored: the one who is to watch says so, but only of a real blow.
    const hurt = talkers.find((one) => one.seat !== mover && scored.some((score) => score.points >= BLOW));
    const who = proud ?? hurt;
    if (who === undefined) continue;
    say(who, proud === undefined ? "behind" : "scores", number);
    last = place;
  }
  const end = moments.at(-1);
  const [first] = talkers;
  if (winners !== null && first !== undefined && end !== undefined) {
    // The last word is for the end.
    while (lines.at(-1) !== undefined && moments.length - moments.findIndex((moment) => moment.number === lines.at(-1)?.number) <= silence) lines.pop();
    const winner = talkers.find((one) => winners.includes(one.seat));
    if (winners.length > 0) say(winner ?? first, winner === undefined ? "loses" : "wins", end.number);
  }
  return lines;
}
