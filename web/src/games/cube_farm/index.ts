import type { GameModule } from "../game";
import Badge from "./draw/Badge.svelte";
import Card from "./draw/Card.svelte";
import Still from "./draw/Still.svelte";
import Table from "./Table.svelte";
import { awaits } from "./model/awaits";
import { describe } from "./model/tell";
import type { FarmView } from "./model/view";

const game: GameModule<FarmView> = {
  name: "cube-farm",
  Table,
  Still,
  Card,
  Badge,
  describe,
  isWide: true,
  awaits,
  // The table plays a turn back itself, with its own controls: nothing else is kept waiting for it.
  lasts: () => 0,
};
export default game;
