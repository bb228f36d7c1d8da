/** The bots as characters: a name, a portrait (Portrait.svelte), and a word now and then. What they say
 * depends on points that everybody saw and on nothing else. */
import type { DeckSight, News, Scored } from "$/games/game";
import { moverOf } from "./trace";
import { catalogue, tell, type TableWord } from "./words";

/** Every character that has lines of their own. */
const TALKERS = ["intern", "clerk", "director"] as const;
type Talker = (typeof TALKERS)[number];
type Occasion = "scores" | "behind" | "wins" | "loses";

/** At most one line in so many moves. */
const SILENCE = 3;

interface Sitting {
  seat: string;
  kind: string;
  name: string;
}

/** The bot in a seat by its own name (`clerk`), nobody for a person. */
export function botIn(seat: Sitting): string | null {
  return seat.kind === "bot" ? seat.name.replace(/ \(bot\)$/, "") : null;
}

/** What a seat is called: a bot by its character, two alike with their seat. */
export function calledOf(seat: Sitting, seats: readonly Sitting[]): string {
  const bot = botIn(seat);
  const key = `bot.${bot ?? ""}`;
  if (bot === null || !(key in catalogue.en)) return seat.name;
  const name = tell(key as TableWord);
  return seats.some((other) => other !== seat && other.kind === "bot" && other.name === seat.name) ? `${name} ${seat.seat}` : name;
}

export interface Line {
  seat: string;
  number: number;
  text: string;
}

interface Played {
  deck: DeckSight;
  seats: readonly Sitting[];
  entries: readonly News[];
  winners: readonly string[] | null;
  scores: (deck: DeckSight, events: News["events"]) => Scored[];
}

/** All that was said in a match, in order: a function of the record, so that it is the same after a reload. */
export function linesOf({ deck, seats, entries, winners, scores }: Played): Line[] {
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
  let last = -SILENCE;
  for (const [place, entry] of entries.entries()) {
    const scored = scores(deck, entry.events);
    if (scored.length === 0 || place - last < SILENCE) continue;
    const proud = talkers.find((one) => scored.some((score) => score.seat === one.seat));
    // Somebody else has scored: the one who is to watch says so, but only of a real blow.
    const hurt = talkers.find((one) => one.seat !== moverOf(entry) && scored.some((score) => score.points >= 4));
    const who = proud ?? hurt;
    if (who === undefined) continue;
    say(who, proud === undefined ? "behind" : "scores", entry.number);
    last = place;
  }
  const end = entries.at(-1);
  const [first] = talkers;
  if (winners !== null && first !== undefined && end !== undefined) {
    // The last word is for the end.
    while (lines.at(-1) !== undefined && entries.length - entries.findIndex((entry) => entry.number === lines.at(-1)?.number) <= SILENCE) lines.pop();
    const winner = talkers.find((one) => winners.includes(one.seat));
    if (winners.length > 0) say(winner ?? first, winner === undefined ? "loses" : "wins", end.number);
  }
  return lines;
}
