import { expect, test } from "vitest";
import { countdown, fromNow } from "./time";

test("a clock counts hours, minutes, and tenths at the very end", () => {
  expect(countdown(3_723_000)).toBe("1:02:03");
  expect(countdown(65_000)).toBe("1:05");
  expect(countdown(10_000)).toBe("0:10");
  expect(countdown(9_960)).toBe("9.9");
  expect(countdown(-5)).toBe("0.0");
});

test("a time is told from now on, rounded towards now", () => {
  const now = 1_700_000_000_000;
  expect(fromNow((now + 3 * 86_400_000 + 5) * 1000, now)).toBe("in 3 days");
  expect(fromNow((now - 120_000) * 1000, now)).toBe("2 minutes ago");
});
