/** What the pages say about a game that has no pictures of its own, in every language. */
import { speaker, type Catalogue } from "$/words";

const en = {
  table: "The table",
  next: "Your move",
  back: "Take back",
  hidden: "face down",
  play: "Play {move}",
  failed: "That did not work: {why}",
};
type Key = keyof typeof en;
const de: Record<Key, string> = {
  table: "Der Tisch",
  next: "Dein Zug",
  back: "Zurück",
  hidden: "verdeckt",
  play: "{move} spielen",
  failed: "Das ging nicht: {why}",
};

export const catalogue: Catalogue<Key> = { en, de };
export const say = speaker<Key>(catalogue);
