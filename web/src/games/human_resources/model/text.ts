/** The table as plain text, for those who do not see the picture. */
import { fill, type Language, type Params } from "$/words";
import type { DeckSight } from "../../game";
import { boxAround, formatSquare } from "./floor";
import { colourOf, isFace, type OfficeView, type SeatCode } from "./view";
import { catalogue, type Word } from "../words";

export function describe(view: OfficeView, deck: DeckSight, language: Language): string {
  const words = (key: Word, params: Params = {}) => fill(catalogue[language][key], params);
  const card = (name: string) => (isFace(name) ? (deck.cards[name]?.title ?? name) : words(`back.${colourOf(name) ?? "unknown"}`));
  const list = (names: string[]) => names.map(card).join(", ") || words("text.nothing");
  const seats: SeatCode[] = view.viewer === "B" ? ["B", "A"] : ["A", "B"];
  const [acts] = view.to_act;
  return [
    acts === undefined ? words("now.over") : words("text.turn", { who: acts }),
    words("text.office", { n: view.office.length }),
    ...rowsOf(view).map((row) =>
      words("text.row", { name: row.name, cells: row.cells.map((cell) => words(cell.colour ?? "free")).join(", ") }),
    ),
    ...seats.flatMap((who) => [
      words("text.hand", { who, cards: list(view.hands[who]) }),
      words("text.play", { who, cards: list(view.play[who]) }),
      words("text.scored", { who, n: view.points[who], cards: list(view.scored[who]) }),
    ]),
    words("text.discard", { cards: list(view.discard) }),
  ].join("\n");
}

export interface TextCell {
  square: string;
  colour: "dark" | "light" | null;
}

export interface TextRow {
  /** The compass name of the row, such as S2. */
  name: string;
  cells: TextCell[];
}

/** The office as rows, with everything else that can be chosen inside the frame. */
export function rowsOf(view: OfficeView, more: Iterable<string> = []): TextRow[] {
  const colours = new Map(view.office.map((cubicle) => [cubicle.square, cubicle.colour]));
  const box = boxAround([...colours.keys(), ...more]);
  const rows: TextRow[] = [];
  for (let y = box.top; y < box.bottom; y += 1) {
    const cells: TextCell[] = [];
    for (let x = box.left; x < box.right; x += 1) {
      const square = formatSquare({ x, y });
      cells.push({ square, colour: colours.get(square) ?? null });
    }
    rows.push({ name: formatSquare({ x: 0, y }), cells });
  }
  return rows;
}

/** The compass names of the columns. */
export function columnsOf(rows: TextRow[]): string[] {
  return (rows[0]?.cells ?? []).map((cell) => cell.square.replace(/[NS]\d+$/, "") || "0");
}
