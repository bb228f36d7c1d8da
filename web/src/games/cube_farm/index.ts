import type { GameModule } from "../game";
import Card from "./Card.svelte";
import Still from "./Still.svelte";
import Table from "./Table.svelte";
import { describe } from "./tell";
import type { FarmView } from "./view";

const game: GameModule<FarmView> = { name: "cube-farm", Table, Still, Card, describe };
export default game;
