/** What there is to tell of a game that is over: who scored what, the race, the best turn. */
import { FLOORS, SEATS, type EmployeeScore, type FarmView, type FloorName, type Seat } from "./view";
import { raceOf } from "./plan";

export interface Account {
  seat: Seat;
  room: number;
  machines: number;
  nearest: number;
  bosses: number;
  employees: number;
  /** Orders that came to nothing. */
  lost: number;
  total: number;
}

export interface Ending {
  winners: Seat[];
  race: Record<Seat, number>[];
  accounts: Account[];
  /** The turn that brought somebody most; the first of several. */
  best: { seat: Seat; turn: number; points: number } | null;
  cube: { floor: FloorName; score: EmployeeScore } | null;
}

export function endingOf(view: FarmView): Ending {
  const most = Math.max(...SEATS.map((seat) => view.points[seat]));
  const race = raceOf(view);
  const gains = race.slice(1).flatMap((points, place) =>
    SEATS.map((seat) => ({ seat, turn: view.history[place]?.turn ?? place + 1, points: points[seat] - (race[place]?.[seat] ?? 0) })),
  );
  const scores = FLOORS.flatMap((floor) => view.floors[floor].employees.map((score) => ({ floor, score })));
  return {
    winners: SEATS.filter((seat) => view.points[seat] === most),
    race,
    accounts: SEATS.map((seat) => accountOf(view, seat)),
    best: gains.reduce<Ending["best"]>((best, one) => (best === null || one.points > best.points ? one : best), null),
    cube: scores.reduce<Ending["cube"]>((best, one) => (best === null || one.score.total > best.score.total ? one : best), null),
  };
}

function accountOf(view: FarmView, seat: Seat): Account {
  const scores = FLOORS.flatMap((floor) => view.floors[floor].employees.filter((score) => score.seat === seat));
  const parts = scores.flatMap((score) => score.parts);
  const sum = (kind: string) => parts.filter((part) => part.kind === kind).reduce((total, part) => total + part.points, 0);
  return {
    seat,
    room: scores.reduce((total, score) => total + score.base, 0),
    machines: sum("bonus"),
    nearest: sum("extra"),
    bosses: sum("penalty"),
    employees: scores.length,
    lost: view.history.flatMap((turn) => turn.results).filter((result) => result.seat === seat && result.code !== undefined).length,
    total: view.points[seat],
  };
}
