/** Which games there are to draw; each is fetched when first wanted. A folder here appears by itself:
 * `games/human_resources` draws the game `human-resources`. A game without one is shown as text. */
import type { GameModule } from "./game";

const FOLDERS = import.meta.glob<{ default: GameModule<never> }>(["./*/index.ts", "!./plain/index.ts"]);

const folderOf = (name: string) => `./${name.replaceAll("-", "_")}/index.ts`;

/** The game's module. Views are checked by the server, so here they are taken as they come. */
export async function loadGame(name: string): Promise<GameModule> {
  const load = FOLDERS[folderOf(name)];
  if (load === undefined) return (await import("./plain")).plain(name);
  return (await load()).default as unknown as GameModule;
}
