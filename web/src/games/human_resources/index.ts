import type { GameModule } from "../game";
import Card from "./Card.svelte";
import Still from "./Still.svelte";
import Table from "./Table.svelte";
import { tellAll } from "./tell";
import { describe } from "./text";
import type { OfficeView } from "./view";

const game: GameModule<OfficeView> = { name: "human-resources", Table, Still, Card, describe, tell: tellAll };
export default game;
