import { afterEach, expect, test } from "vitest";
import { choose, paced, read, settings, USUAL } from "./settings.svelte";

afterEach(() => {
  Object.assign(settings, USUAL);
  localStorage.clear();
});

test("what was kept is read again, and nonsense is not believed", () => {
  expect(read(null)).toEqual(USUAL);
  expect(USUAL.sound).toBe(false);
  expect(read("{not json")).toEqual(USUAL);
  expect(read("null")).toEqual(USUAL);
  expect(read(JSON.stringify({ sound: "loud", speed: "warp", lines: false }))).toEqual({ ...USUAL, lines: false });
  choose("speed", "quick");
  choose("sound", true);
  expect(read(localStorage.getItem("openplan.settings"))).toEqual({ ...USUAL, speed: "quick", sound: true });
});

test("quick is half as long, and none is at once", () => {
  expect(paced(600)).toBe(600);
  choose("speed", "quick");
  expect(paced(600)).toBe(300);
  choose("speed", "none");
  expect(paced(600)).toBe(0);
});
