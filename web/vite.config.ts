import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  build: {
    outDir: "../build/web",
    emptyOutDir: true,
    // The site's policy allows nothing inline: every asset is a file of its own.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The server tells a browser at once what the page at an address is made of (pages.py).
    manifest: "manifest.json",
    // The first browsers with light-dark(), on which the themes rest.
    target: ["chrome123", "firefox121", "safari17.5"],
  },
  resolve: {
    // The games as the server has them: each brings its drawings.
    alias: { $: "/src", $games: new URL("../src/openplan/games", import.meta.url).pathname },
    ...(mode === "test" ? { conditions: ["browser"] } : {}),
  },
  server: {
    proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } },
    fs: { allow: [".", "../docs", "../src/openplan/games"] },
  },
  // The tests are of headless parts: one document does for all of them.
  // What a style sheet says is read by those of its contrasts.
  test: { environment: "jsdom", isolate: false, css: true, include: ["src/**/*.test.ts"] },
}));
