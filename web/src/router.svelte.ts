/** Which page an address is of. Links are ordinary links; only their following is ours. */
export interface Route {
  page: string;
  params: Record<string, string>;
  query: URLSearchParams;
  hash: string;
}

const ROUTES: [string, string][] = [
  ["/", "landing"],
  ["/new", "new"],
  ["/account", "account"],
  ["/table/:table", "table"],
  ["/table/:table/master", "master"],
  ["/table/:table/at/:number", "replay"],
  ["/person/:person", "person"],
  ["/rules/:game", "rules"],
  ["/cases/:game", "cases"],
  ["/cards/:game", "cards"],
  ["/cards/:game/:deck", "cards"],
  ["/decks", "decks"],
  ["/decks/:deck", "deck"],
  ["/learn/:game", "learn"],
  ["/letter/:kind", "letter"],
  ["/ladder/:game", "ladder"],
  ["/operator", "operator"],
  ["/unsubscribe/:token", "unsubscribe"],
];

export function match(address: URL): Route {
  const parts = address.pathname.replace(/\/+$/, "").split("/").slice(1);
  for (const [pattern, page] of ROUTES) {
    const wanted = pattern.replace(/\/+$/, "").split("/").slice(1);
    if (wanted.length !== parts.length) continue;
    const params: Record<string, string> = {};
    const fits = wanted.every((want, place) => {
      const part = decode(parts[place] ?? "");
      if (!want.startsWith(":")) return want === part;
      params[want.slice(1)] = part;
      return part !== "";
    });
    if (fits) return { page, params, query: address.searchParams, hash: decode(address.hash.slice(1)) };
  }
  return { page: "nowhere", params: {}, query: address.searchParams, hash: "" };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

class Router {
  now: Route = $state.raw(match(new URL(globalThis.location?.href ?? "http://here/")));

  go(address: string, { replace = false } = {}): void {
    const next = new URL(address, location.href);
    if (replace) history.replaceState(null, "", next);
    else history.pushState(null, "", next);
    const isSamePage = next.pathname === this.#path;
    this.#follow();
    if (!replace && !isSamePage) scrollTo(0, 0);
  }

  #path = globalThis.location?.pathname ?? "/";

  #follow(): void {
    this.#path = location.pathname;
    this.now = match(new URL(location.href));
  }

  /** Follow links within the site without leaving the page. */
  listen(): () => void {
    const click = (event: MouseEvent) => {
      if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const link = (event.target as Element | null)?.closest?.("a");
      if (!link || link.target !== "" || link.hasAttribute("download") || link.origin !== location.origin) return;
      if (link.pathname.startsWith("/api/") || link.pathname === "/openapi.json") return;
      if (link.pathname === location.pathname && link.search === location.search && link.hash !== "") return;
      event.preventDefault();
      this.go(link.href);
    };
    const back = () => this.#follow();
    document.addEventListener("click", click);
    addEventListener("popstate", back);
    return () => {
      document.removeEventListener("click", click);
      removeEventListener("popstate", back);
    };
  }
}

export const router = new Router();
