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

/** One sign per ability, drawn with strokes. */
export const ABILITY: Record<Ability, string> = {
  // a square leaves its place for another
  move: "M14 54h28v28h-28zM58 18h28v28h-28zM34 46Q38 26 54 28M46 20l9 8-10 7",
  // two squares and the arrows between them
  swap: "M10 38h26v26h-26zM64 38h26v26h-26zM30 28Q50 12 70 28M62 20l9 9-12 3M70 74Q50 90 30 74M38 82l-9-9 12-3",
  // a card with a plus
  draw: "M22 14h38v52h-38zM66 62v26M53 75h26",
  // three squares in motion
  shift: "M10 20h20v20h-20zM10 40h20v20h-20zM30 40h20v20h-20zM58 50h28M76 40l11 10-11 10M40 74h30M62 67l9 7-9 7",
  // a square lifted by a hand's arrow
  remove: "M22 60v24h56v-24M36 46h28v-28h-28zM50 74v-22M42 60l8-9 8 9",
  // a card and a square change
  exchange: "M12 14h26v36h-26zM58 54h30v30h-30zM48 24Q74 22 74 44M66 37l8 9 8-9M50 76Q26 78 26 58M18 65l8-9 8 9",
  // two cards fanned
  "two-plays": "M16 26l30-8 12 44-30 8zM52 34h32v46h-32zM62 48h12M68 42v12",
  // out of the bin
  take: "M26 50h48l-6 36h-32zM20 50h60M50 42v-28M40 23l10-10 10 10",
  // a project goes back in the drawer
  "pick-up": "M16 56h68v28h-68zM42 70h16M50 12v30M40 33l10 10 10-10M30 22h-8v22M70 22h8v22",
  // many hands, one coin
  crowdfunding: "M50 14a16 16 0 1 0 .01 0M50 22v16M20 84q0-18 14-18t14 18M52 84q0-18 14-18t14 18M34 52a7 7 0 1 0 .01 0M66 52a7 7 0 1 0 .01 0",
  // the clock past five
  overtime: "M50 12a38 38 0 1 0 .01 0M50 28v24l18 14M76 76l14 12",
  // a briefcase takes a sheet
  acquisitions: "M14 44h72v40h-72zM38 44v-10h24v10M14 60h72M50 10v16M42 19l8 8 8-8",
  // four cards in order
  operations: "M12 30h16v44h-16zM34 22h16v44h-16zM56 30h16v44h-16zM78 22h12v44M20 84h60M72 78l9 6-9 6",
};

export const QUOTA: Record<Quota, string> = {
  // three alike
  "three-of-colour": "M10 30h22v40h-22zM39 30h22v40h-22zM68 30h22v40h-22z",
  // five in the tray
  "five-in-hand": "M20 70h60v14h-60zM26 62h48M26 52h48M26 42h48M26 32h48M26 22h48",
  // the taller pile
  "more-scored": "M16 84v-56h24v56zM60 84v-26h24v26zM10 84h80M28 20l-8 8M28 20l8 8",
  // a single sheet
  "only-card": "M34 18h32v46h-32zM12 84h76M42 32h16M42 42h16M42 52h10",
  // the smaller pile
  "fewer-scored": "M16 84v-26h24v26zM60 84v-56h24v56zM10 84h80M28 40l-8-8M28 40l8-8",
};
