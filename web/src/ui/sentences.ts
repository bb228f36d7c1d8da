/** Events in words, as sentences one after the other. */
import type { GameEvent } from "$/games/game";

export function sentences(events: readonly GameEvent[]): string {
  return events.map(({ text }) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`).join(" ");
}
