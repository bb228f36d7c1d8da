/** Short words to the reader: seen for a while, and said by screen readers. */
import { untrack } from "svelte";

interface Notice {
  id: number;
  kind: "good" | "bad";
  text: string;
}

class Notices {
  shown: Notice[] = $state([]);
  /** What a screen reader says next: what happened at the table. */
  said = $state("");
  #last = 0;

  show(text: string, kind: Notice["kind"] = "good"): void {
    const id = ++this.#last;
    // Whoever shows something does not depend on what is shown: an effect would show it again and again.
    untrack(() => this.shown.push({ id, kind, text }));
    setTimeout(() => this.drop(id), kind === "bad" ? 9000 : 5000);
  }

  drop(id: number): void {
    this.shown = this.shown.filter((notice) => notice.id !== id);
  }

  /** For the ears only. */
  say(text: string): void {
    this.said = text;
  }
}

export const notices = new Notices();
