import type { GameModule } from "../game";
import Card from "./Card.svelte";
import Still from "./Still.svelte";
import Table from "./Table.svelte";
import { describe } from "./text";
import type { OfficeView } from "./view";

const game: GameModule<OfficeView> = { name: "human-resources", Table, Still, Card, describe };
export default game;
