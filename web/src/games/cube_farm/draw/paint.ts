/** The building on a canvas, for a picture to be sent around. Paper is light, whatever the page is. */
import type { DeckSight } from "../../game";
import { boxOf, desksOf, isCube, planOf, type Plan } from "../model/plan";
import { FLOORS, formatSquare, type FarmView, type FloorName, type Seat } from "../model/view";
import { floorName } from "../words";
import { ART } from "./art";

type Pen = CanvasRenderingContext2D;
const U = 40;
const FONT = 'system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif';
const INKS = {
  outside: "#4a6984",
  ground: "#fdfefe",
  odd: "#eef4f8",
  cube: "#fbeecb",
  plane: "#e3edf6",
  furniture: "#3d5872",
  wall: "#12293f",
  hatch: "#a9c1d8",
  gold: "#e3a63b",
  bad: "#a3262b",
  ink: "#1c2630",
  S: "#b2342b",
  P: "#1f6f8b",
  T: "#6a4a9c",
} as const;

/** A department's mark around a point. */
function paintMark(pen: Pen, seat: Seat, x: number, y: number, r: number): void {
  pen.fillStyle = INKS[seat];
  pen.beginPath();
  if (seat === "S") pen.arc(x, y, r, 0, 7);
  else if (seat === "P") pen.rect(x - r * 0.92, y - r * 0.92, r * 1.84, r * 1.84);
  else for (const [dx, dy] of [[0, -1.17], [1.17, 0], [0, 1.17], [-1.17, 0]] as const) pen.lineTo(x + dx * r, y + dy * r);
  pen.fill();
  write(pen, seat, x, y + r * 0.38, r * 1.08, "#ffffff", "center", 700);
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
    pen.fillStyle = isCube(tile.kind) ? INKS.cube : (tile.x + tile.y) % 2 ? INKS.odd : INKS.ground;
    pen.fillRect(0, 0, U, U);
    if (tile.employee) {
      pen.globalAlpha = 0.22;
      pen.fillStyle = INKS[tile.employee];
      pen.fillRect(0, 0, U, U);
      pen.globalAlpha = 1;
    }
    pen.lineWidth = 1.6;
    pen.lineJoin = pen.lineCap = "round";
    if (tile.kind === "filled") {
      pen.strokeStyle = INKS.hatch;
      pen.stroke(new Path2D("M0 20 20 0M0 40 40 0M20 40 40 20"));
    }
    if (tile.kind !== "cube" || desks.has(formatSquare(tile))) {
      for (const { look, d } of ART[tile.kind]) {
        const path = new Path2D(d);
        pen.strokeStyle = look === "cut" ? INKS.ground : INKS.furniture;
        pen.fillStyle = look === "plane" ? INKS.plane : look === "solid" ? INKS.furniture : INKS.ground;
        if (look !== "line" && look !== "cut") pen.fill(path);
        if (look !== "solid" && look !== "cut-plane") pen.stroke(path);
      }
    }
    if (tile.worth) {
      pen.fillStyle = tile.worth < 0 ? INKS.bad : INKS.gold;
      pen.beginPath();
      pen.arc(31, 31, 8, 0, 7);
      pen.fill();
      write(pen, String(Math.abs(tile.worth)), 31, 35, 11, tile.worth < 0 ? "#ffffff" : INKS.ink, "center", 700);
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
