// A game of two seats that keeps what was said last, on boardgame.io: `node server.cjs PORT [FOLDER]`.
// With a folder, matches are kept there by its FlatFile store.
const { FlatFile, Server } = require("boardgame.io/server");

const [port, folder] = process.argv.slice(2);
const game = {
  name: "echo",
  setup: () => ({ last: "", count: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: ({ G }, text) => {
      G.last = text;
      G.count += 1;
    },
  },
};
const db = folder ? { db: new FlatFile({ dir: folder }) } : {};
console.log = () => {}; // a line for each request would be measured too
Server({ games: [game], origins: [/.*/], ...db }).run(Number(port));
