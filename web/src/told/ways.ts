/** The ways of being told, and how soon each can be. */
export const CHANNELS = ["mail", "browser", "push", "hook"] as const;
export const PACES = {
  mail: ["now", "daily", "never"],
  browser: ["now", "never"],
  push: ["now", "daily", "never"],
  hook: ["now", "daily", "never"],
} as const;
