/** The building on a canvas, for a picture to be sent around. Paper is light, whatever the page is. */
import { paintPart } from "$/look/parts";
import type { DeckSight } from "../../game";
import { boxOf, desksOf, isCube, planOf, type Plan } from "../model/plan";
import { FLOORS, formatSquare, type FarmView, type FloorName, type Seat } from "../model/view";
import { floorName } from "../words";
import { drawing } from "./art";

type Pen = CanvasRenderingContext2D;
const U = 40;
const FONT = 'system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif';
const INKS = {
  outside: "#4a6984",
  wall: "#12293f",
  ink: "#1c2630",
} as const;

/** A department's mark around a point. */
function paintMark(pen: Pen, seat: Seat, x: number, y: number, r: number): void {
  pen.save();
  pen.translate(x, y);
  pen.scale(r / 12, r / 12);
  pen.translate(-20, -20);
  paintPart(pen, drawing(`employee-${seat}`));
  pen.restore();
}

function write(pen: Pen, text: string, x: number, y: number, size: number, ink: string = INKS.ink, align: CanvasTextAlign = "left", weight = 600): void {
  pen.font = `${weight} ${size}px ${FONT}`;
  pen.fillStyle = ink;
  pen.textAlign = align;
  pen.fillText(text, x, y);
}

function paintPlan(pen: Pen, plan: Plan): void {
  const desks = desksOf(plan.tiles);
  for (const tile of plan.tiles) {
    pen.save();
    pen.translate(tile.x * U, tile.y * U);
    paintPart(pen, drawing(isCube(tile.kind) ? "floor-cube" : (tile.x + tile.y) % 2 ? "floor-odd" : "floor"));
    if (tile.employee) paintPart(pen, drawing(`taken-${tile.employee}`));
    if (tile.kind === "filled" || (tile.kind !== "floor" && (tile.kind !== "cube" || desks.has(formatSquare(tile))))) paintPart(pen, drawing(tile.kind));
    if (tile.worth) {
      paintPart(pen, drawing(tile.worth < 0 ? "worth-less" : "worth"));
      write(pen, tile.worth < 0 ? `−${-tile.worth}` : String(tile.worth), tile.worth < 0 ? 28 : 31, 35, 11, tile.worth < 0 ? "#ffffff" : INKS.ink, "center", 700);
    }
    pen.restore();
  }
  pen.strokeStyle = INKS.wall;
  pen.lineWidth = 4;
  pen.lineCap = "round";
  pen.beginPath();
  for (const { x, y, walls } of plan.tiles) {
    const [left, top, right, bottom] = [x * U, y * U, (x + 1) * U, (y + 1) * U];
    for (const [bit, ax, ay, bx, by] of [
      [1, left, top, right, top],
      [2, right, top, right, bottom],
      [4, left, bottom, right, bottom],
      [8, left, top, left, bottom],
    ] as const) {
      if (!(walls & bit)) continue;
      pen.moveTo(ax, ay);
      pen.lineTo(bx, by);
    }
  }
  pen.stroke();
  for (const { x, y, seat } of plan.employees) paintMark(pen, seat, (x + 0.5) * U, (y + 0.5) * U, 12);
}

function paintFloor(pen: Pen, view: FarmView, deck: DeckSight, floor: FloorName, x: number, y: number, width: number, height: number): void {
  write(pen, floorName(floor), x, y + 18, 18);
  paintMark(pen, view.floors[floor].home, x + width - 12, y + 12, 9);
  const [top, tall] = [y + 28, height - 28];
  pen.fillStyle = INKS.outside;
  pen.fillRect(x, top, width, tall);
  const plan = planOf(view, floor, deck);
  const box = boxOf(plan.tiles);
  const [across, down] = [(box.right - box.left + 1) * U + 24, (box.bottom - box.top + 1) * U + 24];
  const scale = Math.min(width / across, tall / down, 1.6);
  pen.save();
  pen.translate(x + width / 2, top + tall / 2);
  pen.scale(scale, scale);
  pen.translate((-(box.left + box.right + 1) * U) / 2, (-(box.top + box.bottom + 1) * U) / 2);
  paintPlan(pen, plan);
  pen.restore();
}

/** The three floors, in a field of that size: side by side where it is wide, else above each other as in a house. */
export function paint(pen: Pen, view: FarmView, deck: DeckSight, width: number, height: number): void {
  const gap = 16;
  const isWide = width > 1.6 * height;
  const [wide, high] = isWide ? [(width - 2 * gap) / 3, height] : [width, (height - 2 * gap) / 3];
  FLOORS.forEach((floor, place) => {
    paintFloor(pen, view, deck, floor, isWide ? place * (wide + gap) : 0, isWide ? 0 : place * (high + gap), wide, high);
  });
}
