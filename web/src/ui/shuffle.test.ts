import { expect, test } from "vitest";
import { committed, opens } from "./shuffle";

const SALT = "00ff".repeat(16);
const DEAL = { office: ["P01d", "M02l"], "hand A": ["Q01d"], empty: [] };
/** What openplan.core.deal.commitment says of them. */
const COMMITMENT = "4e213b2e9727d593239b9132147442f16a4b1f0af2ec06886df9dca0ef55788a";

test("the sum is the engine's own", async () => {
  expect(committed(SALT, DEAL)).toBe(`salt: ${SALT}\ndeal office: P01d M02l\ndeal hand A: Q01d\ndeal empty:\n`);
  expect(await opens(COMMITMENT, SALT, DEAL)).toBe(true);
});

test("another deal, order or salt does not open it", async () => {
  expect(await opens(COMMITMENT, SALT, { ...DEAL, office: ["M02l", "P01d"] })).toBe(false);
  expect(await opens(COMMITMENT, SALT.replace("0", "1"), DEAL)).toBe(false);
});
