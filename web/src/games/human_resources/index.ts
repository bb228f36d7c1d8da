import type { GameModule } from "../game";
import Card from "./draw/Card.svelte";
import Still from "./draw/Still.svelte";
import Table from "./Table.svelte";
import { tellAll } from "./model/tell";
import { describe } from "./model/text";
import type { OfficeView } from "./model/view";

const game: GameModule<OfficeView> = { name: "human-resources", Table, Still, Card, describe, tell: tellAll };
export default game;
