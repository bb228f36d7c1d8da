import { expect, test } from "vitest";
import { inline, parse, plain } from "./markdown";

const RULES = import.meta.glob<string>("../../../docs/rules/*.md", { query: "?raw", import: "default", eager: true });

test("a clause keeps its number as an address", () => {
  const [block] = parse('<a id="hr-5.4"></a>**HR-5.4 A block.** It *slides* by `shift`.\nStill the same clause.');
  expect(block).toMatchObject({ kind: "paragraph", id: "hr-5.4" });
  expect(block?.kind === "paragraph" ? plain(block.parts) : "").toBe(
    "HR-5.4 A block. It slides by shift. Still the same clause.",
  );
});

test("lists, tables and drawings are told apart", () => {
  const blocks = parse("Text:\n- one\n  and more\n- two\n\n| a | b |\n|---|---|\n| 1 | **2** |\n\n```\nx\n\ny\n```");
  expect(blocks.map((block) => block.kind)).toEqual(["paragraph", "list", "table", "code"]);
  expect(blocks[1]).toMatchObject({ items: [[{ text: "one and more" }], [{ text: "two" }]] });
  expect(blocks[2]).toMatchObject({ rows: [[[{ text: "1" }], [{ kind: "strong" }]]] });
  expect(blocks[3]).toMatchObject({ text: "x\n\ny" });
});

test("what is inside words is found inside words", () => {
  expect(inline("see **[here](there.md)**.")).toEqual([
    { kind: "text", text: "see " },
    { kind: "strong", parts: [{ kind: "link", href: "there.md", parts: [{ kind: "text", text: "here" }] }] },
    { kind: "text", text: "." },
  ]);
});

test.each(Object.entries(RULES))("%s leaves no signs of its writing behind", (_, text) => {
  const said = (parts: Parameters<typeof plain>[0]) =>
    expect(plain(parts.filter((part) => part.kind !== "code"))).not.toMatch(/\*\*|\]\(|<a /);
  const blocks = parse(text);
  expect(blocks.length).toBeGreaterThan(5);
  for (const block of blocks) {
    if (block.kind === "paragraph" || block.kind === "heading") said(block.parts);
    if (block.kind === "list") block.items.forEach(said);
    if (block.kind === "table") [block.head, ...block.rows].flat().forEach(said);
  }
});
