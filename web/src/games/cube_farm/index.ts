import type { GameModule } from "../game";
import Badge from "./draw/Badge.svelte";
import Card from "./draw/Card.svelte";
import Editor from "./workshop/Editor.svelte";
import Still from "./draw/Still.svelte";
import Table from "./Table.svelte";
import Poster from "./draw/Poster.svelte";
import { paint } from "./draw/paint";
import { awaits } from "./model/awaits";
import { courseOf } from "./model/ending";
import { describe, tellTurn } from "./model/tell";
import { told } from "./model/told.svelte";
import type { FarmView } from "./model/view";

const game: GameModule<FarmView> = {
  name: "cube-farm",
  Table,
  Still,
  Card,
  Editor,
  Badge,
  Poster,
  inks: { S: "var(--dept-1)", P: "var(--dept-2)", T: "var(--dept-3)" },
  paint,
  describe,
  tell: tellTurn,
  course: courseOf,
  isTelling: () => told.hiddenFrom !== null,
  isWide: true,
  awaits,
  // The table plays a turn back itself, with its own controls: nothing else is kept waiting for it.
  lasts: () => 0,
};
export default game;
