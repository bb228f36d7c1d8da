/** One turn's orders as the page holds them, to and from the notation (games/cube_farm/text/notation.py). */
import { formatSquare, parseSquare, PHASES, type Square } from "./view";

export interface CardOrder {
  card: string;
  square: Square;
  turn: number;
}

export interface PhaseOrder {
  card: CardOrder | null;
  employee: Square | null;
}

export type Orders = PhaseOrder[];

export function noOrders(): Orders {
  return Array.from({ length: PHASES }, () => ({ card: null, employee: null }));
}

export function formatPhase(order: PhaseOrder): string {
  const words: string[] = [];
  if (order.card) {
    words.push("card", order.card.card, formatSquare(order.card.square));
    if (order.card.turn) words.push("turn", String(order.card.turn));
  }
  if (order.employee) words.push("employee", formatSquare(order.employee));
  return words.join(" ");
}

export function formatOrders(orders: Orders): string {
  const parts = orders.map((order, place) => [place + 1, formatPhase(order)] as const).filter(([, text]) => text);
  return parts.map(([phase, text]) => `${phase}: ${text}`).join("; ") || "nothing";
}

/** Reads what the server writes. */
export function parseOrders(text: string): Orders {
  const orders = noOrders();
  for (const part of text.split(";")) {
    const found = /^\s*([1-3]):(.*)$/.exec(part);
    const order = orders[Number(found?.[1]) - 1];
    if (!found || !order) continue;
    const card = /card (\d+) (\w+)(?: turn ([0-3]))?/.exec(found[2] ?? "");
    if (card?.[1] && card[2]) {
      order.card = { card: card[1], square: parseSquare(card[2]), turn: Number(card[3] ?? 0) };
    }
    const employee = /employee (\w+)/.exec(found[2] ?? "");
    if (employee?.[1]) order.employee = parseSquare(employee[1]);
  }
  return orders;
}
