/** A deck at work: what it is now, what it was, and keeping it at the server as one types. */
import { ask, Refused } from "$/api/client";
import { inWords } from "$/api/live.svelte";
import type { DeckFault, EditSight, OwnDeck } from "$/api/types";
import type { DeckForm } from "$/games/game";

/** A form, or the whole text where the game has none. */
export type Content = DeckForm | string;

const WAIT = 700;
const AGAIN = 3000;
const MOST_STEPS = 200;

export class Editing {
  content = $state.raw<Content>("");
  faults: DeckFault[] = $state.raw([]);
  state: "saved" | "saving" | "unsaved" = $state("saved");
  /** Why the server does not take it. */
  trouble = $state("");
  #past: Content[] = $state.raw([]);
  #future: Content[] = $state.raw([]);
  #kind = "";
  #edit: number;
  #kept: Content;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<void> | null = null;

  constructor(
    readonly path: string,
    sight: Pick<OwnDeck, "edit" | "faults" | "form" | "text">,
  ) {
    this.content = this.#kept = sight.form ?? sight.text;
    this.faults = sight.faults;
    this.#edit = sight.edit;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }
  /** How many steps can be taken back. */
  get steps(): number {
    return this.#past.length;
  }
  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  change(content: Content, kind = ""): void {
    if (kind === "" || kind !== this.#kind) this.#past = [...this.#past, this.content].slice(-MOST_STEPS);
    this.#kind = kind;
    this.#future = [];
    this.#becomes(content);
  }

  undo(): void {
    const before = this.#past.at(-1);
    if (before === undefined) return;
    this.#past = this.#past.slice(0, -1);
    this.#future = [...this.#future, this.content];
    this.#kind = "";
    this.#becomes(before);
  }

  redo(): void {
    const next = this.#future.at(-1);
    if (next === undefined) return;
    this.#future = this.#future.slice(0, -1);
    this.#past = [...this.#past, this.content];
    this.#kind = "";
    this.#becomes(next);
  }

  #becomes(content: Content): void {
    this.content = content;
    this.state = "saving";
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), WAIT);
  }

  /** All that was typed is at the server, and its faults are known, unless there is trouble. */
  flush(isLast = false): Promise<void> {
    clearTimeout(this.#timer);
    this.#saving ??= this.#save(isLast).finally(() => (this.#saving = null));
    return this.#saving;
  }

  async #save(isLast: boolean): Promise<void> {
    while (this.content !== this.#kept) {
      const content = this.content;
      try {
        const body = { edit: this.#edit, ...(typeof content === "string" ? { text: content } : { form: content }) };
        const answer = await ask<EditSight>("PUT", this.path, body, isLast);
        this.#edit = answer.edit;
        this.#kept = content;
        this.faults = answer.faults;
        this.trouble = "";
      } catch (error) {
        this.state = "unsaved";
        const isBusy = error instanceof Refused && (error.status === 429 || error.status === 503);
        if (error instanceof Refused && !isBusy) this.trouble = inWords(error);
        else this.#timer = setTimeout(() => void this.flush(), AGAIN);
        return;
      }
    }
    this.state = "saved";
  }

  close(): void {
    if (this.content !== this.#kept) void this.flush(true);
    clearTimeout(this.#timer);
  }
}
