/** At one screen: who sits down next. */

/** Of the seats held here, the first that can act and has not yet done so in this round; when all have,
 * the first that can act again. Null if none of them can. */
export function nextSeat(own: readonly string[], toAct: readonly string[], played: readonly string[]): string | null {
  const able = own.filter((seat) => toAct.includes(seat));
  return able.find((seat) => !played.includes(seat)) ?? able[0] ?? null;
}
