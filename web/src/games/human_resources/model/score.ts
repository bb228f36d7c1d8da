/** Points in what happened: everybody is told of them. */
import type { DeckSight, GameEvent, Scored } from "../../game";
import { titleOf } from "./tell";
import { otherSeat, type SeatCode } from "./view";

export function scoresOf(deck: DeckSight, events: readonly GameEvent[]): Scored[] {
  return events.flatMap((event) => {
    const seat = String(event.params["seat"]) as SeatCode;
    const card = String(event.params["card"] ?? "");
    const told = Number(event.params["value"]);
    const points = Number.isNaN(told) ? (deck.cards[card]?.value ?? 0) : told;
    const scored = (who: SeatCode): Scored[] => [{ seat: who, points, what: titleOf(deck, card) }];
    switch (event.code) {
      case "completed":
      case "backed":
      case "quota":
      case "crowdfunding":
        return scored(seat);
      // HR-8.3: whoever loses the project scores the card that took it.
      case "acquired":
      case "acquired-to-hand":
        return scored(otherSeat(seat));
      default:
        return [];
    }
  });
}
