/** Beginning a game: what the buttons on the first page do. */
import { router } from "$/router.svelte";
import { t } from "$/words";
import { ask } from "./client";
import { session } from "./me.svelte";
import type { NewTable } from "./types";

/** How many seats a game has and which bot is the usual one. */
const SEATS: Record<string, number> = { "human-resources": 2, "cube-farm": 3 };
export const USUAL_BOT = "clerk";

export async function create(wish: NewTable): Promise<void> {
  await session.begin(t("guest.name"));
  const { id } = await ask<{ id: string }>("POST", "/api/tables", wish);
  router.go(`/table/${id}`);
}

const others = <T>(game: string, seat: T): T[] => Array.from({ length: (SEATS[game] ?? 2) - 1 }, () => seat);

export function playBot(game: string, bot: string): Promise<void> {
  return create({ game, seats: [{ kind: "me" }, ...others(game, { kind: "bot", bot })], hints: true });
}

export function playFriend(game: string): Promise<void> {
  return create({ game, seats: [{ kind: "me" }, ...others(game, { kind: "open" })] });
}

/** At one screen: every seat is held here, each with a name of its own. */
export function playHere(game: string): Promise<void> {
  const seats = Array.from({ length: SEATS[game] ?? 2 }, (_, place) => ({ kind: "me", name: t("here.player", { n: place + 1 }) }));
  return create({ game, seats, hot_seat: true });
}
