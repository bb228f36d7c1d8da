/** The ending as a picture to be sent around, drawn on a canvas: the table, the title, the race of points.
 * Always on light paper, so that it looks the same wherever it is shown. */
import type { DeckSight, GameModule } from "$/games/game";
import { lineThrough, type Course } from "./ending";

export interface PosterFacts {
  title: string;
  made: string;
  names: Record<string, string>;
  seats: string[];
  points: Record<string, number>;
  course: Course;
  best: string;
}

const INKS = ["#1f4e79", "#b2342b", "#6a4a9c"];
const [WIDTH, HEIGHT, EDGE] = [1200, 1500, 60];

export function drawPoster(game: GameModule, view: unknown, deck: DeckSight, facts: PosterFacts): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  const pen = canvas.getContext("2d");
  if (pen === null) throw new Error("no canvas");
  const style = getComputedStyle(document.documentElement);
  const letters = style.getPropertyValue("--font-sign") || style.fontFamily || "sans-serif";
  const write = (text: string, x: number, y: number, size: number, ink = "#1c2630", weight = 650) => {
    pen.font = `${weight} ${size}px ${letters}`;
    // Long names are set smaller rather than cut.
    const wide = pen.measureText(text).width;
    const room = WIDTH - EDGE - x;
    if (wide > room) pen.font = `${weight} ${Math.floor((size * room) / wide)}px ${letters}`;
    pen.fillStyle = ink;
    pen.fillText(text, x, y);
  };
  pen.fillStyle = "#fbfaf6";
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  pen.fillStyle = "#e3a63b";
  pen.fillRect(0, 0, WIDTH, 18);
  write(facts.title, EDGE, 118, 64);

  const high = 880;
  pen.save();
  pen.translate(EDGE, 160);
  pen.fillStyle = "#eaf1f8";
  pen.fillRect(0, 0, WIDTH - 2 * EDGE, high);
  pen.beginPath();
  pen.rect(0, 0, WIDTH - 2 * EDGE, high);
  pen.clip();
  pen.translate(24, 24);
  game.paint?.(pen, view, deck, WIDTH - 2 * EDGE - 48, high - 48);
  pen.restore();

  const most = Math.max(1, ...facts.seats.flatMap((seat) => facts.course.race[seat] ?? []));
  const [left, top, wide, tall] = [EDGE, 1090, WIDTH - 2 * EDGE - 260, 200];
  pen.strokeStyle = "#cfc9bb";
  pen.lineWidth = 2;
  pen.strokeRect(left, top, wide, tall);
  facts.seats.forEach((seat, place) => {
    const own = game.inks?.[seat];
    const ink = own === undefined ? (INKS[place % INKS.length] ?? "#1c2630") : onPaper(own);
    pen.save();
    pen.translate(left, top);
    pen.strokeStyle = ink;
    pen.lineWidth = 6;
    pen.setLineDash(place === 0 ? [] : place === 1 ? [18, 8] : [4, 8]);
    pen.stroke(new Path2D(lineThrough(facts.course.race[seat] ?? [], most, wide, tall)));
    pen.restore();
    write(`${facts.points[seat] ?? 0}  ${facts.names[seat] ?? seat}`, left + wide + 24, top + 40 + place * 60, 36, ink);
  });
  if (facts.best !== "") write(facts.best, EDGE, 1360, 34, "#4c5a66", 500);
  write(facts.made, EDGE, 1440, 34, "#1f4e79");
  return canvas;
}

/** A colour of the page as it is on light paper. */
function onPaper(colour: string): string {
  const probe = document.createElement("span");
  probe.style.cssText = `color-scheme: light; color: ${colour}`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}
