/** Any game that has no page of its own: its scene, and the steps of a move as buttons. */
import type { GameModule } from "../game";
import Card from "./draw/Card.svelte";
import Still from "./draw/Still.svelte";
import Table from "./Table.svelte";
import { describe, type SceneView } from "./model/text";
import { say } from "./words";

export const plain = (name: string): GameModule<SceneView> => ({
  name,
  Table,
  Still,
  Card,
  describe: (view) => describe(view, say("hidden")),
});
