/** What stands on a square, as strokes and planes in a box of 40: own art, for the page and for pictures. */
import type { Kind } from "../model/view";

export interface Stroke {
  /** `plane` is filled and outlined, `line` only drawn; `solid` is all ink, `cut` is drawn into it. */
  look: "plane" | "line" | "solid" | "cut" | "cut-plane";
  d: string;
}

const plane = (d: string): Stroke => ({ look: "plane", d });
const line = (d: string): Stroke => ({ look: "line", d });
const solid = (d: string): Stroke => ({ look: "solid", d });
const circle = (x: number, y: number, r: number) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

export const ART: Record<Kind, Stroke[]> = {
  floor: [],
  filled: [],
  cube: [plane("M9 9h22v8H17v14H9z"), line("M12.5 19h2a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1h-2a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1z"), line(circle(23.5, 23.5, 4))],
  elevator: [
    solid("M8 6h24a2 2 0 0 1 2 2v24a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2z"),
    { look: "cut", d: "M20 8v24" },
    { look: "cut-plane", d: "M13 14l4.5 7h-9zM27 27l-4.5-7h9z" },
  ],
  vp: [plane("M7 32c0-8 4.5-12 11-12s11 4 11 12z"), plane(circle(18, 12, 6)), solid("M18 20l3 3-1.8 2 2 7h-6.4l2-7-1.800-2z")],
  receptionist: [plane("M8 26a12 11 0 0 1 24 0z"), line("M6 29h28M20 15v-3M17 11h6")],
  photocopier: [plane("M8 17h24v14H8z"), line("M10 17l2-6h18l2 6M12 22h8v5h-8zM25 22h3")],
  shredder: [plane("M9 14h22v6H9z"), line("M14 14V7h12v7M12 20v11M16 20v9M20 20v12M24 20v9M28 20v11")],
  "laser-printer": [plane("M8 17h24v10H8z"), line("M13 17V8h14v9M13 24h14v8H13zM28 20h1")],
  "fax-machine": [plane("M8 15h24v15H8z"), line("M12 15v13M18 15l1-7h9l-1 7M19 20h9M19 24h9")],
  "supply-cabinet": [plane("M10 7h20v25H10z"), line("M20 7v25M17 18v4M23 18v4M12 32v2M28 32v2")],
  "coffee-machine": [plane("M11 18h15v9a5 5 0 0 1-5 5h-5a5 5 0 0 1-5-5z"), line("M26 20h3a3 3 0 0 1 0 7h-3M15 14c-2-3 2-4 0-7M21 14c-2-3 2-4 0-7")],
  "soda-machine": [plane("M12 11h14l-2 21H14z"), line("M10 11h18M20 11l3-6h4M13 18h12")],
  "candy-machine": [plane(circle(20, 19, 7)), line("M13 19l-6-4v8zM27 19l6-4v8zM17 17a4 4 0 0 1 5-1")],
  "water-cooler": [plane("M14 6h12v7l-2 3h-8l-2-3z"), line("M13 16h14v16H13zM17 22h6v5h-6zM16 9h3")],
};
