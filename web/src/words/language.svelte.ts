/** The reader's language: the one chosen, else the browser's, else English. */
export type Language = "en" | "de";
export const LANGUAGES: Record<Language, string> = { en: "English", de: "Deutsch" };

const KEPT = "openplan.language";

function first(): Language {
  const kept = globalThis.localStorage?.getItem(KEPT);
  if (kept === "en" || kept === "de") return kept;
  return globalThis.navigator?.language?.startsWith("de") ? "de" : "en";
}

export const reader: { language: Language } = $state({ language: first() });

export function chooseLanguage(language: Language): void {
  reader.language = language;
  localStorage.setItem(KEPT, language);
  document.documentElement.lang = language;
}
