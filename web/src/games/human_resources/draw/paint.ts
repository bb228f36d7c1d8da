/** The office on a canvas, from the same parts as the drawing on the page. */
import { paintPart } from "$/look/parts";
import type { DeckSight } from "../../game";
import { boxAround, grown, parseSquare } from "../model/floor";
import type { OfficeView } from "../model/view";
import { drawing } from "./art";

export function paint(pen: CanvasRenderingContext2D, view: OfficeView, _: DeckSight, width: number, height: number): void {
  const box = grown(boxAround(view.office.map((cubicle) => cubicle.square)), 0.1);
  const size = Math.min(width / (box.right - box.left), height / (box.bottom - box.top), 120);
  pen.save();
  pen.translate((width - size * (box.left + box.right)) / 2, (height - size * (box.top + box.bottom)) / 2);
  pen.scale(size / 100, size / 100);
  for (const { square, colour } of view.office) {
    const { x, y } = parseSquare(square);
    pen.save();
    pen.translate(x * 100, y * 100);
    paintPart(pen, drawing(`carpet-${colour}`));
    paintPart(pen, drawing(`desk-${colour}`));
    pen.restore();
  }
  pen.restore();
}
