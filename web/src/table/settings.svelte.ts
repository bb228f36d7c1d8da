/** How somebody likes a table: kept on this device, the same for every game. Read it in a template or a
 * `$derived`; change it with `choose`. Sound is off until somebody wishes for it. */

export const SPEEDS = ["calm", "quick", "none"] as const;
export type Speed = (typeof SPEEDS)[number];

export interface Settings {
  sound: boolean;
  /** A phone's short buzz when something of one's own counts. */
  buzz: boolean;
  /** How long what happens is shown: in full, in half the time, or at once. */
  speed: Speed;
  /** A whole move waits for a last press. */
  confirm: boolean;
  /** Names of the squares on the rim of a board. */
  coordinates: boolean;
  /** Bots say a word now and then. */
  lines: boolean;
}

const KEPT = "openplan.settings";
export const USUAL: Settings = { sound: false, buzz: true, speed: "calm", confirm: true, coordinates: false, lines: true };

/** What was kept, as far as it can be understood; the rest as usual. */
export function read(text: string | null): Settings {
  let kept: Partial<Record<keyof Settings, unknown>> = {};
  try {
    kept = (JSON.parse(text ?? "{}") ?? {}) as typeof kept;
  } catch {
    // Something else wrote there, or an older version of this page.
  }
  const found = { ...USUAL };
  for (const key of ["sound", "buzz", "confirm", "coordinates", "lines"] as const) {
    const value = kept[key];
    if (typeof value === "boolean") found[key] = value;
  }
  const speed = SPEEDS.find((one) => one === kept.speed);
  if (speed !== undefined) found.speed = speed;
  return found;
}

export const settings: Settings = $state(read(globalThis.localStorage?.getItem(KEPT) ?? null));

export function choose<K extends keyof Settings>(key: K, value: Settings[K]): void {
  settings[key] = value;
  localStorage.setItem(KEPT, JSON.stringify(settings));
}

/** Whether things may move: not where the system asks for calm, nor at no speed. */
export function mayMove(): boolean {
  return settings.speed !== "none" && !(globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? true);
}

const SHARES: Record<Speed, number> = { calm: 1, quick: 0.5, none: 0 };

/** A length of time at the chosen speed. */
export function paced(milliseconds: number): number {
  return milliseconds * SHARES[settings.speed];
}
