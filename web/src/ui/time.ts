/** Times in the reader's language and zone. The server's are microseconds since 1970, in UTC. */
import { reader } from "$/words";

export const SECOND = 1_000_000;

export function moment(micros: number): string {
  return new Date(micros / 1000).toLocaleString(reader.language, { dateStyle: "medium", timeStyle: "short" });
}

/** A deadline with its weekday and the zone it is told in. */
export function deadline(micros: number): string {
  return new Date(micros / 1000).toLocaleString(reader.language, {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  });
}

/** 1:05 or 1:02:33; tenths at the very end. */
export function countdown(millis: number): string {
  const left = Math.max(0, millis);
  if (left < 10_000) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.floor(left / 1000);
  const two = (number: number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** "in 3 days", "5 minutes ago". */
export function fromNow(micros: number, now: number): string {
  const seconds = micros / SECOND - now / 1000;
  const format = new Intl.RelativeTimeFormat(reader.language, { numeric: "auto" });
  const sizes: [Intl.RelativeTimeFormatUnit, number][] = [["day", 86_400], ["hour", 3600], ["minute", 60]];
  for (const [unit, size] of sizes) if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit);
  return format.format(Math.trunc(seconds), "second");
}
