import type { GameModule } from "../game";
import Card from "./draw/Card.svelte";
import Still from "./draw/Still.svelte";
import Table from "./Table.svelte";
import { describe } from "./model/tell";
import type { FarmView } from "./model/view";

const game: GameModule<FarmView> = { name: "cube-farm", Table, Still, Card, describe };
export default game;
