/** Beginning a game: what the buttons on the first page do. */
import { router } from "$/router.svelte";
import { t } from "$/words";
import { loadCatalogue } from "./catalogue";
import { note, promised } from "./chance";
import { ask } from "./client";
import { session } from "./me.svelte";
import type { NewSeat, NewTable } from "./types";

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

/** A finished match from one of its moments on, as a table of one's own: against bots. */
export async function playOn(path: string, number: number, seat: string, bot = USUAL_BOT): Promise<void> {
  await session.begin(t("guest.name"));
  const { id } = await ask<{ id: string }>("POST", `${path}/at/${number}/play-on`, { seat, bot });
  router.go(`/table/${id}`);
}

/** The codes of a game's seats. */
async function seatsOf(game: string): Promise<string[]> {
  const { games } = await loadCatalogue();
  return games.find((one) => one.name === game)?.seats ?? [];
}

/** You in the first seat, the same in all others. */
async function meAnd(game: string, other: NewSeat): Promise<NewSeat[]> {
  return (await seatsOf(game)).map((_, place) => (place === 0 ? { kind: "me" } : other));
}

/** With the house's deck, or with the one of this text. */
export async function playBot(game: string, bot: string, deck_text = ""): Promise<void> {
  return create({ game, deck_text, seats: await meAnd(game, { kind: "bot", bot }), hints: true });
}

export async function playFriend(game: string, deck_text = ""): Promise<void> {
  return create({ game, deck_text, seats: await meAnd(game, { kind: "open" }) });
}

/** At one screen: every seat is held here, each with a name of its own. */
export async function playHere(game: string): Promise<void> {
  const seats = (await seatsOf(game)).map((_, place) => ({ kind: "me", name: t("here.player", { n: place + 1 }) }));
  return create({ game, seats, hot_seat: true });
}
