/** A hand in the order in which its cards came: a card that is drawn goes to the end, and nothing is sorted
 * under somebody's fingers. */
export function arranged(before: readonly string[], now: readonly string[]): string[] {
  const left = [...now];
  const stayed = before.filter((card) => {
    const place = left.indexOf(card);
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  });
  return [...stayed, ...left];
}
