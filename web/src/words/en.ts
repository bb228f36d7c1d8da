/** English, and with it the keys. */
export const en = {
  "site.name": "Open Plan",
  "site.loading": "Loading…",
} as const;
