/** Which games there are to draw; each is fetched when first wanted. */
import type { GameModule } from "./game";

const MODULES: Record<string, () => Promise<{ default: GameModule<never> }>> = {
  "human-resources": () => import("./human_resources"),
  "cube-farm": () => import("./cube_farm"),
};

export const GAMES = Object.keys(MODULES);

/** The game's module. Views are checked by the server, so here they are taken as they come. */
export async function loadGame(name: string): Promise<GameModule> {
  const load = MODULES[name];
  if (load === undefined) throw new Error(`no pictures for the game ${name}`);
  return (await load()).default as unknown as GameModule;
}
