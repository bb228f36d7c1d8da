/** What the first page and the lists say of the game before it is fetched. */
import type { About } from "../game";
import Picture from "./Picture.svelte";

const about: About = {
  name: "human-resources",
  order: 1,
  Picture,
  words: {
    en: {
      title: "Human Resources",
      facts: "2 players · 10 to 20 minutes · open office, hidden hands",
      what:
        "Two directors share one office and want it arranged differently. Lay light and dark cubicles, hire managers who push them about, and complete the plans in your hand.",
      "house.promo": "Play with the eight promo cards",
      "house.mirror": "Mirror images of a pattern count",
      "house.memory": "Show each player the faces they have seen",
      "house.leave": "Completing a project is a choice",
      "house.idle": "A manager may be hired for no effect",
      "house.to-hand": "The VP of Acquisitions takes a project into hand, not into play",
    },
    de: {
      title: "Human Resources",
      facts: "2 Personen · 10 bis 20 Minuten · offenes Büro, verdeckte Hände",
      what:
        "Zwei Direktionen teilen sich ein Büro und wollen es verschieden einrichten. Lege helle und dunkle Arbeitsplätze, stelle Manager ein, die sie umherschieben, und erfülle die Pläne in deiner Hand.",
      "house.promo": "Mit den acht Promokarten",
      "house.mirror": "Spiegelbilder eines Musters zählen",
      "house.memory": "Jeder Person die Vorderseiten zeigen, die sie gesehen hat",
      "house.leave": "Ein Projekt zu vollenden ist freigestellt",
      "house.idle": "Vorgesetzte dürfen ohne Wirkung eingestellt werden",
      "house.to-hand": "Ein übernommenes Projekt kommt auf die Hand, nicht ins Spiel",
    },
  },
};
export default about;
