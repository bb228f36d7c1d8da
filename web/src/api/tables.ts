/** Beginning a game: what the buttons on the first page do. */
import { router } from "$/router.svelte";
import { t } from "$/words";
import { note, promised } from "./chance";
import { ask } from "./client";
import { session } from "./me.svelte";
import type { NewTable } from "./types";

/** How many seats a game has and which bot is the usual one. */
const SEATS: Record<string, number> = { "human-resources": 2, "cube-farm": 3 };
export const USUAL_BOT = "clerk";

export async function create(wish: NewTable): Promise<void> {
  await session.begin(t("guest.name"));
  const { seal, bytes } = await promised();
  const { id } = await ask<{ id: string }>("POST", "/api/tables", { ...wish, chance: { seal: seal.seal, bytes } });
  note(id, seal.commitment, bytes);
  router.go(`/table/${id}`);
}

/** The same again. Where somebody else plays too, the table may be theirs already, with a seal of its own. */
export async function again(path: string, isAgainstBots: boolean): Promise<void> {
  const { seal, bytes } = await promised();
  const { id } = await ask<{ id: string }>("POST", `${path}/rematch`, { chance: { seal: seal.seal, bytes } });
  const { commitment } = await ask<{ commitment: string }>("GET", `/api/tables/${id}`);
  note(id, isAgainstBots ? seal.commitment : commitment, bytes);
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
