/** Who is here. A guest is made silently when somebody first does something. */
import { unsubscribe } from "$/told/push";
import { reader } from "$/words";
import { ask, Refused } from "./client";
import type { Me } from "./types";

/** What a new account takes from the browser. */
export function ofBrowser(): { zone: string; language: string } {
  return { zone: Intl.DateTimeFormat().resolvedOptions().timeZone, language: reader.language };
}

/** A browser counts an emoji as two and the server as one: what it would allow is never cut, and of more it says so. */
export const LONGEST_NAME = 120;

class Session {
  me: Me | null = $state.raw(null);
  /** Whether the server has been asked yet. */
  known = $state(false);
  #asking: Promise<void> | null = null;

  look(): Promise<void> {
    this.#asking ??= ask<Me>("GET", "/api/me")
      .then((me) => this.is(me))
      .catch((error: unknown) => {
        if (!(error instanceof Refused)) this.#asking = null;
        this.is(null);
      });
    return this.#asking;
  }

  is(me: Me | null): void {
    this.me = me;
    this.known = true;
  }

  /** Have a session, as a guest if there is none yet. */
  async begin(name: string): Promise<void> {
    await this.look();
    if (this.me === null) this.is(await ask<Me>("POST", "/api/session", { name, ...ofBrowser() }));
  }

  async signOut(): Promise<void> {
    await unsubscribe();
    await ask("DELETE", "/api/session");
    this.is(null);
  }
}

export const session = new Session();
