/** Asking the server: every refusal comes as a `Refused` with its reason; a lost answer is asked for again. */
import { reader } from "$/words";

/** The server has said no, and why. The code is stable; the clause is that of the rules, if any. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly reason: string,
    readonly clause: string,
  ) {
    super(reason);
    this.name = "Refused";
  }
}

/** No answer came: the network is gone, or the server is. */
export class Unreachable extends Error {
  constructor() {
    super("no answer");
    this.name = "Unreachable";
  }
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** How far the server's clock is ahead of ours, in milliseconds, as its last answer told. */
let ahead = 0;

/** The time of day at the server, in milliseconds. */
export function serverNow(): number {
  return Date.now() + ahead;
}

/** `isLast`: the page may go away before there is an answer. */
export async function ask<T>(method: Method, path: string, body?: unknown, isLast = false): Promise<T> {
  const headers: Record<string, string> = { "accept-language": reader.language };
  if (body !== undefined) headers["content-type"] = "application/json";
  let answer: Response;
  let said: unknown;
  try {
    answer = await fetch(path, {
      method,
      headers,
      credentials: "same-origin",
      keepalive: isLast,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    said = await (answer.headers.get("content-type")?.includes("json") ? answer.json() : answer.text());
  } catch {
    throw new Unreachable();
  }
  const date = Date.parse(answer.headers.get("date") ?? "");
  // The header counts whole seconds: half of one is the best guess at the rest.
  if (!Number.isNaN(date) && Math.abs(date + 500 - serverNow()) > 1500) ahead = date + 500 - Date.now();
  if (answer.ok) return said as T;
  const refusal = (typeof said === "object" && said !== null ? said : {}) as Record<string, string | undefined>;
  throw new Refused(
    answer.status,
    refusal["code"] ?? "broken",
    refusal["reason"] ?? answer.statusText,
    refusal["clause"] ?? "",
  );
}

const WAITS = [300, 700, 1500, 3000, 6000];

/** Ask until there is an answer. Only for what may be asked twice: reading, or under a name. */
export async function askAgain<T>(method: Method, path: string, body?: unknown): Promise<T> {
  for (const wait of WAITS) {
    try {
      return await ask<T>(method, path, body);
    } catch (error) {
      const mayPass = error instanceof Unreachable || (error instanceof Refused && error.status === 503);
      if (!mayPass) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  return ask<T>(method, path, body);
}

/** A name for a submission, so that sending it twice is the same as once. */
export function newName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** `?a=1&b=2` of what is there; nothing for nothing. */
export function query(parameters: Record<string, string | number | null | undefined>): string {
  const found = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== null && value !== undefined && value !== "") found.set(name, String(value));
  const text = found.toString();
  return text === "" ? "" : `?${text}`;
}
