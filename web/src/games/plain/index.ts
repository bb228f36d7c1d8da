/** Any game that has no pictures of its own: its view as text, and the steps of a move as buttons. */
import type { GameModule } from "../game";
import Card from "./draw/Card.svelte";
import Still from "./draw/Still.svelte";
import Table from "./Table.svelte";
import { describe } from "./model/text";

export const plain = (name: string): GameModule => ({ name, Table, Still, Card, describe });
