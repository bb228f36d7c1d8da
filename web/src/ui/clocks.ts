/** A table's clock rule in words. */
import type { ClockRule } from "$/api/types";
import { named, t } from "$/words";

export function clockInWords(rule: Partial<ClockRule> | Record<string, unknown>): string {
  const clock = rule as Partial<ClockRule>;
  if (clock.kind === "live")
    return t("clock.live", { minutes: Math.round((clock.bank ?? 0) / 6) / 10, seconds: clock.increment ?? 0 });
  if (clock.kind === "days") return t("clock.days", { n: clock.days ?? 0 });
  if (clock.kind === "schedule") {
    const days = (clock.weekdays ?? []).map((day) => named(`day.${day}`, day)).join(", ");
    return t("clock.schedule", { days, time: clock.time ?? "", zone: clock.zone ?? "" });
  }
  return t("clock.none");
}
