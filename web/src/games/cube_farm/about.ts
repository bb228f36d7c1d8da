/** What the first page and the lists say of the game before it is fetched. */
import type { About } from "../game";
import Picture from "./Picture.svelte";

const about: About = {
  name: "cube-farm",
  order: 2,
  Picture,
  words: {
    en: {
      title: "PBM Cube Farm",
      facts: "3 players · sealed orders · at once or over weeks",
      what:
        "Three departments furnish three floors at the same time, each by sealed orders. Build the walls, seat your people near the coffee, and keep their way to the elevator open.",
      "house.show-sent": "Show who has sent orders",
      "house.spend-lost": "A lost card is spent, not kept",
      "house.lose-together": "Card and employee of a phase are lost together",
      "house.corner-touches": "A corner is enough for a card to touch",
      "house.far-knowledge": "Knowledge is power out of range too",
    },
    de: {
      title: "PBM Cube Farm",
      facts: "3 Personen · verdeckte Befehle · auf einmal oder über Wochen",
      what:
        "Drei Abteilungen richten gleichzeitig drei Stockwerke ein, jede mit verdeckten Befehlen. Baue die Wände, setze deine Leute nah an den Kaffee und halte ihnen den Weg zum Aufzug frei.",
      "house.show-sent": "Zeigen, wer Befehle geschickt hat",
      "house.spend-lost": "Eine verlorene Karte ist verbraucht, sie kommt nicht zurück",
      "house.lose-together": "Karte und Angestellte einer Phase gehen zusammen verloren",
      "house.corner-touches": "Eine Ecke genügt, damit eine Karte anliegt",
      "house.far-knowledge": "Wissen ist Macht auch außer Reichweite",
    },
  },
};
export default about;
