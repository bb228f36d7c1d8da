/** German. */
import type { en } from "./en";

export const de: Record<keyof typeof en, string> = {
  "site.name": "Open Plan",
  "site.loading": "Wird geladen …",
};
