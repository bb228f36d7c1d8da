/** The office on a canvas, from the same path data as the drawing on the page. */
import type { DeckSight } from "../../game";
import { boxAround, grown, parseSquare } from "../model/floor";
import type { OfficeView } from "../model/view";
import { CUBICLE, DOTS, HATCH } from "./art";

const INKS = {
  dark: { ground: "#35506b", line: "#243a50", thread: "#ffffff44", desk: "#ffffffc7", things: "#1d3247", width: 3 },
  light: { ground: "#f4e3b8", line: "#b4934a", thread: "#b4934abf", desk: "#7a5a22d9", things: "#fff4d6", width: 6 },
} as const;

export function paint(pen: CanvasRenderingContext2D, view: OfficeView, _: DeckSight, width: number, height: number): void {
  const box = grown(boxAround(view.office.map((cubicle) => cubicle.square)), 0.1);
  const size = Math.min(width / (box.right - box.left), height / (box.bottom - box.top), 120);
  pen.save();
  pen.translate((width - size * (box.left + box.right)) / 2, (height - size * (box.top + box.bottom)) / 2);
  pen.scale(size / 100, size / 100);
  pen.lineCap = "round";
  for (const { square, colour } of view.office) {
    const { x, y } = parseSquare(square);
    const [ink, art] = [INKS[colour], CUBICLE[colour]];
    const stroke = (path: string, style: string, thick: number) => {
      [pen.strokeStyle, pen.lineWidth] = [style, thick];
      pen.stroke(new Path2D(path));
    };
    pen.save();
    pen.translate(x * 100, y * 100);
    pen.fillStyle = ink.ground;
    pen.fillRect(0, 0, 100, 100);
    stroke(colour === "dark" ? HATCH : DOTS, ink.thread, ink.width);
    stroke(art.walls, ink.line, 7);
    stroke("M0 0H100V100H0Z", ink.line, 2);
    pen.fillStyle = ink.desk;
    pen.fill(new Path2D(art.desk));
    pen.fillStyle = ink.things;
    pen.fill(new Path2D(art.things));
    pen.beginPath();
    pen.arc(art.chair.x, art.chair.y, art.chair.r, 0, Math.PI * 2);
    pen.fillStyle = colour === "dark" ? ink.things : "#7a5a22";
    pen.fill();
    pen.restore();
  }
  pen.restore();
}
