/** Everything the pages say, in every language: one catalogue, typed keys. A game's own words are made
 * with `speaker` too, in games/<game>/words.ts. */
import { de } from "./de";
import { en } from "./en";
import { reader, type Language } from "./language.svelte";

export { chooseLanguage, LANGUAGES, reader, type Language } from "./language.svelte";

/** English decides which keys there are; every other language has the same. */
export type Catalogue<K extends string> = Record<Language, Record<K, string>>;
export type Params = Record<string, string | number>;

/** Says a key in the reader's language. `{name}` is filled from the parameters; `{n|one|many}` chooses
 * by the number `n`. Reactive: call it in a template or a `$derived`. */
export function speaker<K extends string>(catalogue: Catalogue<K>) {
  return (key: K, params: Params = {}): string => fill(catalogue[reader.language][key], params);
}

export function fill(text: string, params: Params): string {
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (whole, name: string, one?: string, many?: string) => {
    const value = params[name];
    if (value === undefined) return whole;
    if (one === undefined || many === undefined) return String(value);
    return Number(value) === 1 ? one : many;
  });
}

export type Key = keyof typeof en;
export const t = speaker<Key>({ en, de });

/** Words for a name that comes from the server; where the catalogue has none, the server's own. */
export function named(key: string, otherwise: string): string {
  return tell(key, otherwise);
}

/** The same with parameters. */
export function tell(key: string, otherwise: string, params: Params = {}): string {
  return key in en ? t(key as Key, params) : otherwise;
}
