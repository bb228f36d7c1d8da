/** What there is to tell of a game that is over: who scored what, the race of points, the best turn. */
import type { Course } from "$/table/ending";
import { say } from "../words";
import { raceOf } from "./plan";
import { FLOORS, SEATS, type EmployeeScore, type FarmView, type FloorName, type Seat } from "./view";

/** Where a department's points come from. */
export interface Account {
  room: number;
  machines: number;
  nearest: number;
  bosses: number;
}

export function accountOf(view: FarmView, seat: Seat): Account {
  const scores = FLOORS.flatMap((floor) => view.floors[floor].employees.filter((score) => score.seat === seat));
  const sum = (kind: string) =>
    scores.flatMap((score) => score.parts).reduce((total, part) => (part.kind === kind ? total + part.points : total), 0);
  const room = scores.reduce((total, score) => total + score.base, 0);
  return { room, machines: sum("bonus"), nearest: sum("extra"), bosses: sum("penalty") };
}

/** Orders of a department that came to nothing. */
export function lostBy(view: FarmView, seat: Seat): number {
  return view.history.flatMap((turn) => turn.results).filter((result) => result.seat === seat && result.code !== undefined).length;
}

/** The turn that brought somebody most; the first of several. */
export function bestTurn(view: FarmView): { seat: Seat; turn: number; points: number } | null {
  const race = raceOf(view);
  const gains = race.slice(1).flatMap((points, place) =>
    SEATS.map((seat) => ({ seat, turn: view.history[place]?.turn ?? place + 1, points: points[seat] - (race[place]?.[seat] ?? 0) })),
  );
  return gains.reduce<(typeof gains)[number] | null>((best, one) => (best === null || one.points > best.points ? one : best), null);
}

/** The cube that brings most; the first of several. */
export function bestCube(view: FarmView): { floor: FloorName; score: EmployeeScore } | null {
  const scores = FLOORS.flatMap((floor) => view.floors[floor].employees.map((score) => ({ floor, score })));
  return scores.reduce<(typeof scores)[number] | null>((best, one) => (best === null || one.score.total > best.score.total ? one : best), null);
}

/** For the page's ending. */
export function courseOf(view: FarmView): Course {
  const race = raceOf(view);
  const course: Course = { race: {}, scored: {}, best: null };
  for (const seat of SEATS) {
    const account = accountOf(view, seat);
    // The last points are held for a while, so that the line does not end in a jump.
    course.race[seat] = [...race, ...race.slice(-1)].map((points) => points[seat]);
    course.scored[seat] = (["room", "machines", "nearest", "bosses"] as const)
      .filter((what) => account[what] !== 0)
      .map((what) => ({ seat, points: account[what], what: say(`poster.${what}`), number: 0 }));
  }
  return course;
}
