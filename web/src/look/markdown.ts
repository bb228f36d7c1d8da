/** The rules are written once, in docs/rules. This reads the few forms they use into plain data, which
 * the pages draw; nothing is ever put into a page as raw HTML. */
export type Inline =
  | { kind: "text"; text: string }
  | { kind: "strong" | "em"; parts: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "link"; href: string; parts: Inline[] };

export type Block =
  | { kind: "heading"; level: number; id: string; parts: Inline[] }
  | { kind: "paragraph"; id: string; parts: Inline[] }
  | { kind: "list"; isOrdered: boolean; items: Inline[][] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] }
  | { kind: "code"; text: string };

const ANCHOR = /^<a id="([^"]+)"><\/a>/;

export function parse(text: string): Block[] {
  const blocks: Block[] = [];
  for (const chunk of chunks(text)) {
    const first = chunk[0] ?? "";
    const heading = /^(#{1,6}) (.*)$/.exec(first);
    if (first.startsWith("```")) {
      blocks.push({ kind: "code", text: chunk.slice(1, -1).join("\n") });
    } else if (heading !== null) {
      const title = heading[2] ?? "";
      blocks.push({ kind: "heading", level: (heading[1] ?? "#").length, id: slug(title), parts: inline(title) });
    } else if (first.startsWith("|")) {
      const [head = [], , ...rows] = chunk.map(cells);
      blocks.push({ kind: "table", head, rows });
    } else if (/^(?:[-*]|\d+\.) /.test(first)) {
      blocks.push({ kind: "list", isOrdered: /^\d/.test(first), items: items(chunk).map(inline) });
    } else if (/^ {4}/.test(first)) {
      blocks.push({ kind: "code", text: chunk.map((line) => line.slice(4)).join("\n") });
    } else {
      const whole = chunk.join(" ");
      const anchor = ANCHOR.exec(whole);
      blocks.push({ kind: "paragraph", id: anchor?.[1] ?? "", parts: inline(whole.replace(ANCHOR, "")) });
    }
  }
  return blocks;
}

/** Runs of lines that belong together. A fence holds empty lines too; comments are left out. */
function chunks(text: string): string[][] {
  const found: string[][] = [];
  let now: string[] = [];
  let isFenced = false;
  const flush = () => {
    if (now.length > 0) found.push(now);
    now = [];
  };
  for (const line of text.replace(/<!--[\s\S]*?-->/g, "").split("\n")) {
    if (line.startsWith("```")) {
      if (!isFenced) flush();
      now.push(line);
      isFenced = !isFenced;
      if (!isFenced) flush();
    } else if (isFenced) now.push(line);
    else if (line.trim() === "") flush();
    else if (/^#{1,6} /.test(line)) {
      flush();
      found.push([line]);
    } else {
      const begins = /^(?:[-*]|\d+\.) /.test(line) || line.startsWith("|");
      const within = /^(?:[-*]|\d+\.) /.test(now[0] ?? "") || (now[0] ?? "").startsWith("|");
      if (begins && !within) flush();
      now.push(line);
    }
  }
  flush();
  return found;
}

function items(lines: string[]): string[] {
  const found: string[] = [];
  for (const line of lines) {
    const item = /^(?:[-*]|\d+\.) (.*)$/.exec(line);
    if (item !== null) found.push(item[1] ?? "");
    else found.push(`${found.pop() ?? ""} ${line.trim()}`);
  }
  return found;
}

function cells(line: string): Inline[][] {
  return line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => inline(cell.trim()));
}

const INLINE = /`([^`]+)`|\*\*([\s\S]+?)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)]+)\)/;

export function inline(text: string): Inline[] {
  const parts: Inline[] = [];
  let rest = text;
  for (let found = INLINE.exec(rest); found !== null; found = INLINE.exec(rest)) {
    if (found.index > 0) parts.push({ kind: "text", text: rest.slice(0, found.index) });
    const [whole, code, strong, em, label, href] = found;
    if (code !== undefined) parts.push({ kind: "code", text: code });
    else if (strong !== undefined) parts.push({ kind: "strong", parts: inline(strong) });
    else if (em !== undefined) parts.push({ kind: "em", parts: inline(em) });
    else parts.push({ kind: "link", href: href ?? "", parts: inline(label ?? "") });
    rest = rest.slice(found.index + whole.length);
  }
  if (rest !== "") parts.push({ kind: "text", text: rest });
  return parts;
}

/** The words alone. */
export function plain(parts: Inline[]): string {
  return parts.map((part) => ("text" in part ? part.text : plain(part.parts))).join("");
}

/** `## HR-5 Projects` is found at #hr-5, another heading by its words. */
export function slug(title: string): string {
  const clause = /^[A-Z]+-\d+/.exec(title);
  return clause !== null ? clause[0].toLowerCase() : title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}
