/** How a match went, read from its record: who scored what, the race of points, and the best move. */
import type { DeckSight, News, Scored } from "$/games/game";
import { moverOf } from "./trace";

export interface Course {
  /** For each seat the points after each entry, from 0 at the start. */
  race: Record<string, number[]>;
  /** For each seat what it scored, in order. */
  scored: Record<string, (Scored & { number: number })[]>;
  /** The move that brought its player the most; nothing if nobody scored. */
  best: { seat: string; number: number; points: number; what: string } | null;
}

export function courseOf(
  seats: readonly string[],
  deck: DeckSight,
  entries: readonly News[],
  scores: (deck: DeckSight, events: News["events"]) => Scored[],
): Course {
  const course: Course = { race: {}, scored: {}, best: null };
  for (const seat of seats) [course.race[seat], course.scored[seat]] = [[0], []];
  for (const entry of entries) {
    const found = scores(deck, entry.events);
    for (const seat of seats) {
      const own = found.filter((one) => one.seat === seat);
      const points = own.reduce((sum, one) => sum + one.points, 0);
      const race = course.race[seat] ?? [];
      race.push((race.at(-1) ?? 0) + points);
      course.scored[seat]?.push(...own.map((one) => ({ ...one, number: entry.number })));
      if (moverOf(entry) === seat && points > (course.best?.points ?? 0)) {
        course.best = { seat, number: entry.number, points, what: own.map((one) => one.what).join(", ") };
      }
    }
  }
  return course;
}

/** A line through these numbers in a field of that size, as an SVG path; the highest number of all is `most`. */
export function lineThrough(numbers: readonly number[], most: number, width: number, height: number): string {
  const step = width / Math.max(numbers.length - 1, 1);
  const at = (n: number) => Math.round((height - (n / Math.max(most, 1)) * height) * 10) / 10;
  // Points come at once: the line is level, then steps up.
  return numbers.map((n, place) => (place === 0 ? `M0 ${at(n)}` : `H${Math.round(place * step * 10) / 10}V${at(n)}`)).join("");
}
