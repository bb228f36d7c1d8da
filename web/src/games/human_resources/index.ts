import type { GameModule } from "../game";
import Badge from "./draw/Badge.svelte";
import Card from "./draw/Card.svelte";
import { lengthOfAll } from "./draw/motion";
import Poster from "./draw/Poster.svelte";
import { paint } from "./draw/paint";
import Editor from "./workshop/Editor.svelte";
import Still from "./draw/Still.svelte";
import Table from "./Table.svelte";
import { scoresOf } from "./model/score";
import { tellAll } from "./model/tell";
import { describe } from "./model/text";
import type { OfficeView } from "./model/view";
import { say } from "./words";

const game: GameModule<OfficeView> = {
  name: "human-resources",
  Table,
  Still,
  Card,
  Editor,
  Badge,
  Poster,
  paint,
  describe,
  tell: tellAll,
  scores: scoresOf,
  lasts: lengthOfAll,
  goal: (view) => (view.deck.count === 0 ? say("goal.over") : say("goal", { n: view.deck.count })),
};
export default game;
