/** What was done at a table besides playing, in words. */
import type { AuditLine, TableSight } from "$/api/types";
import { named, t, tell, type Params } from "$/words";
import { deadline } from "./time";

/** What the game calls a seat, whoever sits there. */
export function seatCalled(seats: TableSight["seats"], code: string): string {
  const called = seats.find((one) => one.seat === code)?.called ?? code;
  return called === code ? t("seat.called", { seat: code }) : called;
}

/** With who sits there. */
export function seatInWords(seats: TableSight["seats"], code: string): string {
  const seat = seats.find((one) => one.seat === code);
  const called = seatCalled(seats, code);
  return seat === undefined || seat.kind === "empty" || seat.name === "" ? called : `${called} (${seat.name})`;
}

interface Detail {
  seat?: string;
  then?: string;
  by?: string;
  turn?: number;
  due_at?: number;
  entry?: number;
}

export function actInWords(seats: TableSight["seats"], line: AuditLine): string {
  const detail = line.detail as Detail;
  const params: Params = {
    seat: detail.seat === undefined ? "" : seatCalled(seats, detail.seat),
    n: detail.turn ?? detail.entry ?? "",
    when: detail.due_at === undefined ? "" : deadline(detail.due_at),
  };
  const dated = line.act === "resume" && detail.due_at === undefined ? "resume.undated" : line.act;
  const said = tell(`act.${dated}`, line.act, params);
  const next = line.act === "eject" ? detail.then : line.act === "seat" ? detail.by : undefined;
  const then = next === undefined ? "" : tell(`act.then.${next}`, t("act.then.bot", { bot: named(`bot.${next}`, next) }));
  return `${line.by === null ? "" : `${line.by} `}${said}${then === "" ? "" : `: ${then}`}.`;
}
