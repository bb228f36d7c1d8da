import { mount } from "svelte";
import App from "./App.svelte";
import { sendUnsent } from "./table/drafts";
import { startWorker } from "./told/push";
import "./look/fonts.css";
import "./look/theme.css";
import "./look/base.css";
import { showTheme } from "./look/theme.svelte";

showTheme();
const target = document.getElementById("app");
if (target !== null) mount(App, { target });

// When the page has what it needs: the rest can wait.
addEventListener("load", () => void startWorker());
addEventListener("load", sendUnsent);
addEventListener("online", sendUnsent);
