/** Asking the server: every refusal comes as a `Refused` with its reason, a lost answer is asked for again. */

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

export async function ask<T>(method: Method, path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      credentials: "same-origin",
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
  } catch {
    throw new Unreachable();
  }
  const said: unknown = await answer.json().catch(() => null);
  if (answer.ok) return said as T;
  const refusal = (said ?? {}) as Partial<Record<"code" | "reason" | "clause", string>>;
  throw new Refused(answer.status, refusal.code ?? "broken", refusal.reason ?? answer.statusText, refusal.clause ?? "");
}
