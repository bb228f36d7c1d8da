import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Editing } from "./editing.svelte";

let sent: { edit: number; form: { title: string } }[];
let answers: (() => Response)[];

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  answers = [];
  vi.stubGlobal("fetch", (_path: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body));
    const made = answers.shift();
    return Promise.resolve(made ? made() : json({ edit: sent.length, title: "", faults: [] }));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
const form = (title: string) => ({ title, cards: [] });
const begun = () => new Editing("/api/decks/x", { edit: 0, faults: [], form: form(""), text: "" });

test("letters typed in a row are saved after a pause, once, and undone together", async () => {
  const editing = begun();
  for (const title of ["O", "Ou", "Our"]) {
    editing.change(form(title), "title");
    await vi.advanceTimersByTimeAsync(300);
  }
  expect(sent).toEqual([]);
  expect(editing.state).toBe("saving");
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent).toEqual([{ edit: 0, form: form("Our") }]);
  expect(editing.state).toBe("saved");
  editing.change(form("Your"));
  editing.undo();
  editing.undo();
  expect(editing.content).toEqual(form(""));
  expect(editing.canUndo).toBe(false);
  editing.redo();
  editing.redo();
  expect(editing.content).toEqual(form("Your"));
  await editing.flush();
  expect(sent.at(-1)).toEqual({ edit: 1, form: form("Your") });
  editing.undo();
  editing.change(form("Another"));
  expect(editing.canRedo).toBe(false);
});

test("what is typed while it is being saved is saved after it", async () => {
  const editing = begun();
  editing.change(form("One"));
  const saving = editing.flush();
  editing.change(form("Two"));
  await saving;
  expect(sent.map(({ edit, form }) => [edit, form.title])).toEqual([
    [0, "One"],
    [1, "Two"],
  ]);
});

test("without an answer it is tried again; a refusal is told and not tried again", async () => {
  const editing = begun();
  answers.push(() => {
    throw new TypeError("gone");
  });
  editing.change(form("One"));
  await vi.advanceTimersByTimeAsync(1000);
  expect(editing.state).toBe("unsaved");
  await vi.advanceTimersByTimeAsync(4000);
  expect(editing.state).toBe("saved");
  answers.push(() => json({ code: "deck-changed", reason: "changed elsewhere", clause: "" }, 409));
  editing.change(form("Two"));
  await vi.advanceTimersByTimeAsync(10_000);
  expect([editing.state, editing.trouble, sent.length]).toEqual(["unsaved", "changed elsewhere", 3]);
});
