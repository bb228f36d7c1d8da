import { expect, test } from "vitest";
import { GAMES } from ".";

test.each(GAMES.map((about) => [about.name, about] as const))("%s says the same of itself in both languages", (_, { words }) => {
  expect(Object.keys(words.de).sort()).toEqual(Object.keys(words.en).sort());
  for (const text of [...Object.values(words.en), ...Object.values(words.de)]) expect(text.trim()).not.toBe("");
});
