/** The games that wait for a move of ours: in the title, in the icon and in the header, and told when nobody looks. */
import { ask } from "$/api/client";
import { session } from "$/api/me.svelte";
import type { TableWishes, Waiting } from "$/api/types";
import { router } from "$/router.svelte";
import { t } from "$/words";

const EVERY = 45_000;
/** So that several things that happen at once are asked about once. */
const SOON = 700;
const NUMBER = /^\(\d+\) /;
/** From so many on, the icon only says that there are more. */
const MOST_IN_ICON = 10;

class WaitingGames {
  list: Waiting[] = $state.raw([]);
  #known: Set<string> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOn = false;

  get count(): number {
    return this.list.length;
  }

  /** The one to go to from a table, or from anywhere. */
  next(from: string | undefined): Waiting | undefined {
    return this.list.find((one) => one.table !== from);
  }

  /** From now on, until what is returned is called. */
  start(): () => void {
    this.#isOn = true;
    const look = () => void this.look();
    const dressing = new MutationObserver(() => this.#dress());
    dressing.observe(document.head, { childList: true, subtree: true, characterData: true });
    document.addEventListener("visibilitychange", look);
    queueMicrotask(look); // what it reads is no reason to start anew
    return () => {
      this.#isOn = false;
      clearTimeout(this.#timer);
      dressing.disconnect();
      document.removeEventListener("visibilitychange", look);
      this.list = [];
      this.#known = null;
      this.#dress();
    };
  }

  /** Something has happened that may have changed it. */
  soon(): void {
    if (this.#isOn) this.#after(SOON);
  }

  #after(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.look(), milliseconds);
  }

  async look(): Promise<void> {
    try {
      const list = session.me === null ? [] : await ask<Waiting[]>("GET", "/api/me/waiting");
      if (!this.#isOn) return;
      const fresh = this.#known === null ? [] : list.filter((one) => !this.#known!.has(one.table));
      this.#known = new Set(list.map((one) => one.table));
      this.list = list;
      this.#dress();
      if (fresh.length > 0) void this.#tell(fresh);
    } catch {
      // The next time, perhaps; what was known is shown until then.
    } finally {
      if (this.#isOn) this.#after(EVERY);
    }
  }

  /** The number in the title, which pages set as they like, and in the icon. */
  #dress(): void {
    const count = this.#isOn ? this.count : 0;
    const plain = document.title.replace(NUMBER, "");
    const title = count === 0 ? plain : `(${count}) ${plain}`;
    if (document.title !== title) document.title = title;
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    const address = count === 0 ? "/icon.svg" : `/icon-${Math.min(count, MOST_IN_ICON)}.svg`;
    if (icon !== null && icon.getAttribute("href") !== address) icon.setAttribute("href", address);
    const badged = navigator as Navigator & { setAppBadge?: (count: number) => Promise<void> };
    badged.setAppBadge?.(count).catch(() => {});
  }

  async #tell(fresh: Waiting[]): Promise<void> {
    const wishes = session.me?.wishes;
    if (wishes === undefined || !wishes.turn) return;
    const isLookedAt = !document.hidden;
    const mayShow = !isLookedAt && "Notification" in globalThis && Notification.permission === "granted";
    if (!wishes.bell && !mayShow) return;
    // A table that is looked at rings by itself.
    const { page, params } = router.now;
    const told = fresh.filter((one) => !(isLookedAt && page === "table" && params["table"] === one.table));
    let hasRung = !wishes.bell;
    for (const one of told) {
      const here = await ask<TableWishes>("GET", `/api/tables/${one.table}/wishes`).catch(() => null);
      if (!hasRung && here?.browser !== "never") {
        hasRung = true;
        void import("$/table/synth").then((synth) => synth.play("bell", 0)).catch(() => {});
      }
      if (mayShow && (here?.browser ?? wishes.browser) !== "never") await notify(t("told.turn"), one.title, one.table);
    }
  }
}

/** By the worker where there is one: so a push about the same table takes its place and comes not beside it. */
async function notify(title: string, body: string, table: string): Promise<void> {
  const options = { body, tag: table, icon: "/icon-192.png", badge: "/badge.png", data: { link: `/table/${table}` } };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker !== undefined) return worker.showNotification(title, options);
  const shown = new Notification(title, options);
  shown.onclick = () => {
    focus();
    location.assign(options.data.link);
  };
}

export const waiting = new WaitingGames();
