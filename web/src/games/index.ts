/** The games there are to draw: every folder here with an `about.ts`. What is about a game is at hand from the
 * start; the game itself is fetched when first wanted. A game without a folder here is drawn by its scene, and the
 * server's catalogue says what it is. */
import { SvelteMap } from "svelte/reactivity";
import { reader } from "$/words";
import { loadCatalogue } from "$/api/catalogue";
import type { GameSight } from "$/api/types";
import type { About, GameModule } from "./game";

const ABOUTS = import.meta.glob<About>("./*/about.ts", { eager: true, import: "default" });
const MODULES = import.meta.glob<GameModule<never>>(["./*/index.ts", "!./plain/index.ts"], { import: "default" });

const folders = new Map(Object.entries(ABOUTS).map(([path, about]) => [about.name, path.replace("about.ts", "index.ts")]));
const abouts = new Map(Object.values(ABOUTS).map((about) => [about.name, about]));

export const GAMES: readonly About[] = Object.values(ABOUTS).sort((one, other) => one.order - other.order);

const otherTitles = new SvelteMap<string, string>();

/** The games of the server that have no folder here. */
export async function otherGames(): Promise<GameSight[]> {
  const found = (await loadCatalogue()).games.filter((game) => !abouts.has(game.name));
  for (const { name, title } of found) otherTitles.set(name, title);
  return found;
}

/** What a game says of itself; where it does not, the server's own words. Reactive. */
export const ofGame = (game: string, key: string, otherwise: string) => abouts.get(game)?.words[reader.language][key] ?? otherwise;
export const titleOf = (game: string) => ofGame(game, "title", otherTitles.get(game) ?? game);

/** The game's module. Views are checked by the server, so here they are taken as they come. */
export async function loadGame(name: string): Promise<GameModule> {
  const load = MODULES[folders.get(name) ?? ""];
  if (load === undefined) return (await import("./plain")).plain(name) as unknown as GameModule;
  return (await load()) as unknown as GameModule;
}
