import { expect, test } from "vitest";
import { addedBySeat, drawsAgain, sealed, sha256, type Draw } from "./shuffle";

const SALT = "00ff".repeat(16);
const DEAL = { office: ["P01d", "M02l"], "hand A": ["Q01d"], empty: [] };
/** What openplan.core.deal.salted says of them. */
const COMMITMENT = "4e213b2e9727d593239b9132147442f16a4b1f0af2ec06886df9dca0ef55788a";

test("an older seal is over the salt and the deal", async () => {
  const told = { salt: SALT, chance: null, deal: DEAL };
  expect(sealed(told)).toBe(`salt: ${SALT}\ndeal office: P01d M02l\ndeal hand A: Q01d\ndeal empty:\n`);
  expect(await sha256(sealed(told))).toBe(COMMITMENT);
  expect(await sha256(sealed({ ...told, deal: { ...DEAL, office: ["M02l", "P01d"] } }))).not.toBe(COMMITMENT);
});

/** What openplan.core.deal draws from these lines. */
const LINES = [`chance server: ${"ab".repeat(32)}`, `chance A: ${"cd".repeat(32)}`, "chance B: none"];
const DRAWS: Draw[] = [
  {label: "hand", pool: ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9"], drawn: ["c2", "c4", "c8"]},
  {label: "deck", pool: ["c0", "c1", "c3", "c5", "c6", "c7", "c9"], drawn: ["c1", "c7", "c6", "c5", "c0", "c3", "c9"]},
];
const DRAWN = { hand: ["c2", "c4", "c8"], deck: ["c1", "c7", "c6", "c5", "c0", "c3", "c9"], start: ["A", "toss"] };

test("the seal is over the server's line alone", async () => {
  expect(await sha256(sealed({ salt: null, chance: LINES, deal: {} }))).toBe("e1cf598613ca5a7ecc243c6a6ed015aaecae0d61f7919bad2c4ffce408025385");
});

test("the draws are the engine's own", async () => {
  expect(await drawsAgain(LINES, DRAWS, DRAWN)).toBe(true);
});

test("another chance, order of the pool, draw or deal is found out", async () => {
  const [first, second] = DRAWS as [Draw, Draw];
  for (const place of [0, 1, 2]) {
    const lines = LINES.map((line, at) => (at === place ? line.replace(/.$/, "0") : line));
    expect(await drawsAgain(lines, DRAWS, DRAWN)).toBe(false);
  }
  const turned = { ...first, pool: [...first.pool].reverse() };
  expect(await drawsAgain(LINES, [turned, second], DRAWN)).toBe(false);
  const doubled = { ...first, pool: ["c0", ...first.pool] };
  expect(await drawsAgain(LINES, [doubled, second], DRAWN)).toBe(false);
  const swapped = { ...second, drawn: [...second.drawn].reverse() };
  expect(await drawsAgain(LINES, [first, swapped], DRAWN)).toBe(false);
  expect(await drawsAgain(LINES, DRAWS, { ...DRAWN, hand: [...DRAWN.hand].reverse() })).toBe(false);
  expect(await drawsAgain(LINES, DRAWS, { deck: DRAWN.deck })).toBe(false);
});

test("who added what", () => {
  expect(addedBySeat(LINES)).toEqual([
    ["A", "cd".repeat(32)],
    ["B", null],
  ]);
});
