import type { GameModule } from "../game";
import Card from "./Card.svelte";
import Still from "./Still.svelte";
import Table from "./Table.svelte";

const game: GameModule = { name: "cube-farm", Table, Still, Card, describe: () => "" };
export default game;
