import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { KeptDraft, sendUnsent } from "./drafts";

const answers: { text: string; at: number }[] = [];
const sent: { method: string; body: { text: string; at: number } | undefined }[] = [];
const headers = { get: (name: string) => (name === "content-type" ? "application/json" : null) };
function answer(_path: string, { method, body }: { method: string; body?: string }): Promise<unknown> {
  sent.push({ method, body: body === undefined ? undefined : JSON.parse(body) as { text: string; at: number } });
  const found = answers.shift();
  return found === undefined ? Promise.reject(new Error("away")) : Promise.resolve({ ok: true, headers, json: () => Promise.resolve(found) });
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  vi.stubGlobal("fetch", answer);
  localStorage.clear();
  [answers.length, sent.length] = [0, 0];
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const other = (text: string, at: number) => answers.push({ text: JSON.stringify({ stamp: 2, text }), at });

describe("drafts", () => {
  it("are sent once one pauses, and the last of them only", async () => {
    const draft = new KeptDraft("t S", "/draft");
    draft.write(2, "a");
    draft.write(2, "ab");
    expect(sent).toEqual([]);
    answers.push({ text: "", at: 0 });
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent.map((one) => [one.method, one.body?.text])).toEqual([["PUT", '{"stamp":2,"text":"ab"}']]);
    expect(draft.read(2)).toBe("ab");
    expect(draft.read(3)).toBeNull();
    await vi.advanceTimersByTimeAsync(5000);
    expect(sent).toHaveLength(1);
  });

  it("of another device count if they are newer", async () => {
    const draft = new KeptDraft("t S", "/draft");
    draft.write(2, "mine");
    other("theirs", 999_999_000);
    await draft.bring();
    expect(draft.read(2)).toBe("mine");
    other("theirs", 1_000_001_000);
    await draft.bring();
    expect(draft.read(2)).toBe("theirs");
    // Given up there: given up here.
    answers.push({ text: "", at: 1_000_002_000 });
    await draft.bring();
    expect(draft.read(2)).toBeNull();
  });

  it("stay on the device while the server is away, and go when they are taken up again", async () => {
    new KeptDraft("t S", "/draft").write(2, "mine");
    await vi.advanceTimersByTimeAsync(1000);
    const again = new KeptDraft("t S", "/draft");
    await again.bring();
    expect(again.read(2)).toBe("mine");
    answers.push({ text: "", at: 0 });
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent.map((one) => one.method)).toEqual(["PUT", "GET", "PUT"]);
  });

  it("that a page could not send go with the next page, whatever it shows, and once", async () => {
    new KeptDraft("t S", "/t/draft").write(2, "mine");
    new KeptDraft("lesson x").write(0, "far");
    answers.push({ text: "", at: 0 });
    sendUnsent();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent.map((one) => [one.method, one.body?.text])).toEqual([["PUT", '{"stamp":2,"text":"mine"}']]);
    sendUnsent();
    expect(sent).toHaveLength(1);
  });

  it("are gone without a word once the move is made", async () => {
    const draft = new KeptDraft("t S", "/draft");
    draft.write(2, "mine");
    draft.done(2);
    await vi.advanceTimersByTimeAsync(1000);
    expect(draft.read(2)).toBeNull();
    expect(sent).toEqual([]);
  });

  it("are nobody's business where there is no session, and survive a store that cannot be read", async () => {
    const draft = new KeptDraft("lesson x");
    await draft.bring();
    draft.write(0, "far");
    await vi.advanceTimersByTimeAsync(1000);
    expect([draft.read(0), sent]).toEqual(["far", []]);
    localStorage.setItem("openplan.drafts", "{not json");
    expect(draft.read(0)).toBeNull();
  });
});
