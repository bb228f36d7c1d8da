/** The scene that the server sends with the view of a game without a page of its own, and the same as text. */
import type { CardSight, DeckSight } from "../../game";

export interface Scene {
  title: string;
  boards: { title: string; tiles: { x: number; y: number; kind: string; label: string; walls: string; mark: string }[]; legend: Record<string, string> }[];
  /** Cards that lie together. One that is seen from behind has no name. */
  panels: { title: string; cards: CardSight[]; note: string; is_private: boolean }[];
  status: string[];
  standings: string[];
  key: string[];
}

/** What a view of such a game has beside what the game itself tells. */
export interface SceneView {
  scene: Scene;
}

export function titled(value: string, deck: DeckSight): string {
  const card = deck.cards[value];
  return card === undefined || card.title === value ? value : `${value} (${card.title})`;
}

/** The rows of a board from north to south; a square shows its label, or what it is. */
export function rows(board: Scene["boards"][number]): string[][] {
  const [xs, ys] = [board.tiles.map((tile) => tile.x), board.tiles.map((tile) => tile.y)];
  const [west, north] = [Math.min(...xs), Math.min(...ys)];
  const found = Array.from({ length: Math.max(...ys) - north + 1 }, () => Array<string>(Math.max(...xs) - west + 1).fill(""));
  for (const tile of board.tiles) found[tile.y - north]![tile.x - west] = tile.label || (board.legend[tile.kind] ?? tile.kind);
  return found;
}

export function describe({ scene }: SceneView, hidden: string): string {
  return [
    ...scene.status,
    ...scene.boards.flatMap((board) => [`${board.title}:`, ...(board.tiles.length === 0 ? [] : rows(board).map((row) => row.map((one) => one || "-").join(" | ")))]),
    ...scene.panels.map(({ title, cards, note }) => `${title}: ${cards.map((card) => (card.name === "" ? hidden : `${card.name} (${card.title})`)).join(", ")}${note === "" ? "" : `; ${note}`}.`),
    ...scene.standings.map((line) => `${line}.`),
    ...scene.key,
  ].join("\n");
}
