/** The drawings as path data, on a ground of 100 by 100. Own art: desks from above, and signs. */
import type { Ability, Quota } from "../model/view";

/** Diagonal threads of the dark carpet. Inside the square, so nothing need be clipped. */
export const HATCH = [16, 32, 48, 64, 80, 96]
  .map((k) => `M0 ${k}L${k} 0`)
  .concat([12, 28, 44, 60, 76, 92].map((k) => `M${k} 100L100 ${k}`))
  .join("");

/** Dots of the light carpet, as short strokes with round ends. */
export const DOTS = [10, 30, 50, 70, 90]
  .flatMap((y, row) => (row % 2 === 0 ? [10, 30, 50, 70, 90] : [20, 40, 60, 80]).map((x) => `M${x} ${y}h.01`))
  .join("");

/** A cubicle seen from above: partition walls, the desk, what stands on it, and the chair. The two
 * colours have different furniture, so that shade is never alone. */
export const CUBICLE = {
  dark: {
    walls: "M10 90V10H90V46",
    desk: "M18 18H82V38H40V82H18Z",
    things: "M50 22h22v7h-22zM22 52h10v18h-10z",
    chair: { x: 60, y: 60, r: 11 },
  },
  light: {
    walls: "M90 90V10H10V46",
    desk: "M22 20H78Q84 20 84 27V36Q84 42 78 42H22Q16 42 16 36V27Q16 20 22 20Z",
    things: "M38 24h24v8h-24z",
    chair: { x: 50, y: 62, r: 11 },
  },
} as const;

/** A drawing in two colours: lines of one weight, and the one thing that is yellow. */
export interface Drawing {
  lines: string;
  thing: string;
}

/** One drawing per ability: nine managers at work, and the promo cards. */
export const ABILITY: Record<Ability, Drawing> = {
  // Relocation: carries a box to a dashed place.
  move: {
    lines: "M30 12a9 9 0 1 0 .01 0M30 31v27M30 58L20 88M30 58l11 30M30 38l16 6M30 44l16 8M62 20h8M76 20h8M88 24v8M88 38v8M84 50h-8M70 50h-8M58 46v-8M58 32v-8M66 82h20M78 74l9 8-9 8",
    thing: "M44 36h22v20H44zM44 43h22",
  },
  // Seat Swap: two chairs go round each other.
  swap: {
    lines: "M14 36v26h22M14 62v18M36 62v18M36 50H14M86 36v26H64M86 62v18M64 62v18M64 50h22M30 22Q50 6 70 22M62 12l9 10-13 2M70 92Q50 104 30 92",
    thing: "M14 50h22v12H14zM64 50h22v12H64z",
  },
  // Recruitment: a new face, and a plus.
  draw: {
    lines: "M34 14a13 13 0 1 0 .01 0M10 86c0-24 10-34 24-34s24 10 24 34zM26 54l8 12 8-12M30 26h.01M39 26h.01M29 33q5 4 10 0",
    thing: "M76 20v14h14v12H76v14H64V46H50V34h14V20z",
  },
  // Shift: leans against a row of desks, which goes.
  shift: {
    lines: "M20 24a8 8 0 1 0 .01 0M22 41l9 20-15 26M31 61l3 27M24 46l18-2M27 52l15 4M4 34h8M2 46h8M4 58h6M92 58h6M88 66l10-8-10-8",
    thing: "M44 34h16v16H44zM44 50h16v16H44zM60 50h16v16H60z",
  },
  // Redundancy: out of the door with a plant in a box.
  remove: {
    lines: "M10 90V10h38v80M40 50h.01M58 22a8 8 0 1 0 .01 0M60 38v24M60 62l-8 28M60 62l10 28M60 44l12 6M60 50l12 6M79 46v-12M79 40q-8-2-8-10M79 38q8-2 8-10M4 90h92",
    thing: "M70 48h20v16H70z",
  },
  // Replacement: the same chair, another name plate.
  exchange: {
    lines: "M34 12h32v36H34zM34 48v12h32V48M50 60v18M36 88l14-10 14 10M50 78v12M14 30Q14 10 26 10M8 22l6 9 8-7M86 62q0 24-14 26M92 72l-6-10-9 7",
    thing: "M28 22h44v16H28zM36 30h28",
  },
  // Multitasking: one head, four hands.
  "two-plays": {
    lines: "M50 10a11 11 0 1 0 .01 0M50 32v34M50 40L26 30M50 40l24-10M50 52L26 62M50 52l24 10M50 66L38 92M50 66l12 26M45 19h.01M55 19h.01M46 26h8",
    thing: "M10 16h16v20H10zM74 16h16v20H74zM10 56h16v20H10zM74 56h16v20H74z",
  },
  // Rehiring: somebody is pulled out of the bin again.
  take: {
    lines: "M24 52h52l-6 40H30zM18 52h64M40 62l2 20M60 62l-2 20M50 62v20M50 20a9 9 0 1 0 .01 0M36 52q2-14 14-14t14 14M78 40V12M70 20l8-9 8 9",
    thing: "M24 52h52l-2 10H26z",
  },
  // Postponement: a plan goes into the drawer, and time runs.
  "pick-up": {
    lines: "M12 34h76v56H12zM12 62h76M42 76h16M36 48h28M72 6h16M72 26h16M74 6c0 10 12 10 12 20M86 6c0 10-12 10-12 20",
    thing: "M26 12h28v34H26zM32 20h16M32 28h16",
  },
  // Many hands, one coin.
  crowdfunding: {
    lines: "M14 88V70l14-22M38 90V72l4-24M62 90V72l-4-24M86 88V70L72 48M26 48l6 6M40 46l4 6M60 46l-4 6M74 48l-6 6",
    thing: "M50 8a17 17 0 1 0 .01 0M50 16v18M45 21h8",
  },
  // The clock is past five, the lamp still on.
  overtime: {
    lines: "M36 16a26 26 0 1 0 .01 0M36 26v16l10 8M60 90h32M76 90V66M76 66L58 54",
    thing: "M52 46l14 8-14 14z",
  },
  // A briefcase takes a plan.
  acquisitions: {
    lines: "M12 44h76v44H12zM38 44V34h24v10M12 62h32M56 62h32M44 58h12v10H44z",
    thing: "M36 6h28v22H36zM42 13h16M42 20h10",
  },
  // Four cards, and the order of them.
  operations: {
    lines: "M34 20h18v46H34zM56 30h18v46H56zM78 20h14v46H78M20 88h56M68 80l10 8-10 8",
    thing: "M10 30h18v46H10z",
  },
};

export const QUOTA: Record<Quota, Drawing> = {
  // three alike
  "three-of-colour": { lines: "M39 26h22v44H39zM68 26h22v44H68zM10 84h80", thing: "M10 26h22v44H10z" },
  // five in the tray
  "five-in-hand": { lines: "M14 60v26h72V60M26 52h48M26 42h48M26 32h48M26 22h48", thing: "M26 60h48v12H26z" },
  // the taller pile
  "more-scored": { lines: "M60 84V58h24v26zM10 84h80M28 8v10M22 12l6-6 6 6", thing: "M16 84V24h24v60zM16 44h24M16 64h24" },
  // a single sheet on an empty desk
  "only-card": { lines: "M8 72h84v10H8zM18 82v12M82 82v12", thing: "M34 20h32v46H34zM42 32h16M42 42h16M42 52h10" },
  // the smaller pile
  "fewer-scored": { lines: "M60 84V24h24v60zM10 84h80M28 34v14M22 42l6 6 6-6", thing: "M16 84V60h24v24z" },
};
