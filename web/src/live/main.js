import "../style/base.css";
import "./live.css";
import { h, pageData } from "../common/dom.js";
import { frame } from "../common/frame.js";
import { bind } from "../common/keys.js";
import { createPage } from "./page.js";
import { stateOf } from "./permalink.js";

// The token came by the address, and is in a cookie now: it should be in no bookmark.
if (new URLSearchParams(location.search).has("token")) {
  history.replaceState(null, "", location.pathname + location.hash);
}

const data = pageData();
bind("Ctrl-Enter", "in an editor: run", () => {});
bind("Ctrl-Space", "in an editor: complete", () => {});
bind("F8", "in an editor: next problem", () => {});
bind("Esc, then Tab", "leave an editor (Tab alone indents)", () => {});
const page = createPage(data, (await stateOf(location.hash)) ?? data.start);
document.getElementById("app").classList.add("full-height");
frame(data, { tools: page.tools }).append(page.element);
page.start();
addEventListener("hashchange", async () => {
  const state = await stateOf(location.hash);
  if (state) page.open(state);
});
document.body.append(h("div", { id: "ready", hidden: true }));
