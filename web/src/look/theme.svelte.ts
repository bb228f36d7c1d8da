/** Light or dark: as chosen, else as the system is. */
export type Theme = "auto" | "light" | "dark";
const KEPT = "openplan.theme";

function first(): Theme {
  const kept = globalThis.localStorage?.getItem(KEPT);
  return kept === "light" || kept === "dark" ? kept : "auto";
}

export const look: { theme: Theme } = $state({ theme: first() });

export function chooseTheme(theme: Theme): void {
  look.theme = theme;
  if (theme === "auto") localStorage.removeItem(KEPT);
  else localStorage.setItem(KEPT, theme);
  showTheme();
}

export function showTheme(): void {
  const root = document.documentElement;
  if (look.theme === "auto") delete root.dataset["theme"];
  else root.dataset["theme"] = look.theme;
}
