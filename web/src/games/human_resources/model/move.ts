/** The move in the making, in words: what the last button says before it is pressed. */
import type { DeckSight, Step } from "../../game";
import { say } from "../words";
import { squareCalled, titleOf } from "./tell";
import { abilityOf, colourOf, kindOf, type OfficeView } from "./view";

/** What a use of a card does, said before it is chosen. */
export function useInWords(use: string, card: string, deck: DeckSight): string {
  const n = deck.cards[card]?.value ?? 0;
  switch (use) {
    case "place":
      return say("does.place", { colour: say(`as.${colourOf(card) ?? "dark"}`) });
    case "project":
      return kindOf(card) === "crowdfunding" ? say("ability.crowdfunding") : say("does.project", { n });
    case "quota":
      return say("does.quota", { n });
    case "idle":
      return say("does.idle");
    default: {
      const ability = abilityOf(card);
      return ability === null ? "" : say(`ability.${ability}`);
    }
  }
}

export function moveInWords(taken: readonly Step[], deck: DeckSight, view: OfficeView, other: string): string {
  const of = (kind: string) => taken.filter((step) => step.kind === kind).map((step) => step.value);
  const squares = of("square");
  const [first = "", second = ""] = of("card");
  if (view.phase === "arrange") return say("do.arrange", { n: of("card").length });
  if (view.phase === "pick-up") return say("do.pick-up-own", { card: titleOf(deck, first) });
  const card = titleOf(deck, first);
  const extra = [
    ...of("leave").map((left) => say("do.leave", { card: titleOf(deck, left) })),
    ...of("overtime").map(() => say("do.overtime")),
  ].join("");
  const n = deck.cards[first]?.value ?? 0;
  switch (of("use")[0]) {
    case "place":
      return say("do.place", { card, colour: say(colourOf(first) ?? "unknown"), square: squareCalled(squares[0] ?? "") }) + extra;
    case "project":
      return kindOf(first) === "crowdfunding" ? say("do.crowdfunding", { card }) : say("do.project", { card, n });
    case "quota":
      return say("do.quota", { card, n });
    case "idle":
      return say("do.idle", { card });
    default:
      break;
  }
  const called = squares.map(squareCalled);
  const [square = "", to = ""] = called;
  const laid = titleOf(deck, second);
  const does = (() => {
    switch (abilityOf(first)) {
      case "move":
        return say("do.move", { square, to });
      case "swap":
        return say("do.swap", { square, to });
      case "draw":
        return say("do.draw");
      case "shift":
        return say("do.shift", { squares: called.join(", "), n: Number(of("distance")[0] ?? 1), direction: directionOf(of("direction")[0]) });
      case "remove":
        return say("do.remove", { square });
      case "exchange":
        return say("do.exchange", { card: laid, square });
      case "two-plays":
        return say("do.two-plays");
      case "take":
        return say("do.take", { card: laid });
      case "pick-up":
        return say("do.pick-up", { who: other });
      case "acquisitions":
        return say("do.acquire", { card: laid });
      case "operations":
        return say("do.operations");
      default:
        return "";
    }
  })();
  return say("do.hire", { card, does }) + extra;
}

function directionOf(name: string | undefined): string {
  return name === "north" || name === "east" || name === "south" || name === "west" ? say(`direction.${name}`) : "";
}
