/** What changes only with the server's version, asked for once in each language: games, bots, decks. */
import type { DeckSight } from "$/games/game";
import { reader } from "$/words";
import { askAgain } from "./client";
import type { Catalogue } from "./types";

const kept = new Map<string, Promise<unknown>>();

function once<T>(path: string): Promise<T> {
  const key = `${reader.language} ${path}`;
  const found = kept.get(key) as Promise<T> | undefined;
  if (found !== undefined) return found;
  const asked = askAgain<T>("GET", path);
  kept.set(key, asked);
  asked.catch(() => kept.delete(key));
  return asked;
}

export const loadCatalogue = () => once<Catalogue>("/api/games");
export const loadDeck = (game: string, deck: string) => once<DeckSight>(`/api/games/${game}/decks/${deck}`);
