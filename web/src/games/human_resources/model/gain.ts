/** What a move would bring, read from its preview. */
import type { Preview } from "../../game";
import type { OfficeView } from "./view";

export interface Brings {
  points: number;
  /** One's own projects that would be completed. */
  completed: string[];
  /** Cards that the other player would score. */
  others: string[];
  glows: { squares: string[]; label: string }[];
}

export function bringsOf(preview: Preview<OfficeView> | null, you: string | null): Brings | null {
  if (preview === null) return null;
  const brings: Brings = { points: preview.points, completed: [], others: [], glows: [] };
  for (const event of preview.events) {
    const card = String(event.params["card"] ?? "");
    if (event.code === "completed" || event.code === "backed") {
      brings.glows.push({ squares: event.params["squares"] as string[], label: `+${String(event.params["value"])}` });
      if (event.params["seat"] === you) brings.completed.push(card);
      else brings.others.push(card);
    }
    if (event.code === "acquired" || event.code === "acquired-to-hand") brings.others.push(card);
  }
  return brings;
}
