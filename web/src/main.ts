import { mount } from "svelte";
import App from "./App.svelte";
import { startWorker } from "./told/push";
import "./look/fonts.css";
import "./look/theme.css";
import "./look/base.css";
import { showTheme } from "./look/theme.svelte";

showTheme();
const target = document.getElementById("app");
if (target !== null) mount(App, { target });

// When the page has what it needs: the worker can wait.
addEventListener("load", () => void startWorker());
