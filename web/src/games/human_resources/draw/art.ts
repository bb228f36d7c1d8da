/** The drawings of this game, which letters and print use too. */
import { readParts } from "$/look/parts";

export const drawing = readParts(
  import.meta.glob<string>("$games/human_resources/drawings/*.svg", { query: "?raw", import: "default", eager: true }),
);
