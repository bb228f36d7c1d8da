/** Sounds and the phone's buzz, where somebody wishes for them. The sounds are made when the first is
 * wanted, and are no part of the first load. */
import { settings } from "./settings.svelte";

export type Sound = "paper" | "thud" | "stamp" | "chime" | "chair" | "bell";

export function sound(name: Sound, after = 0): void {
  if (!settings.sound || (globalThis.document?.hidden ?? true)) return;
  void import("./synth").then((synth) => synth.play(name, after / 1000)).catch(() => {});
}

/** Short, on phones that can; lengths in milliseconds. */
export function buzz(...pattern: number[]): void {
  if (settings.buzz && !(globalThis.document?.hidden ?? true)) globalThis.navigator?.vibrate?.(pattern);
}
