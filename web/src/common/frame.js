// What every page has around its content: a header with the title, the theme switch and the list of
// keys, and a footer.

import { h } from "./dom.js";
import { keyboardHelp } from "./keys.js";
import { themeSwitch } from "./theme.js";

/**
 * Draws the frame and returns the element for the content.
 * @param {{title: string, subtitle?: string, version: string}} data
 * @param {{tools?: Node[]}} [parts] further controls of the header
 */
export function frame(data, { tools = [] } = {}) {
  const main = h("main", { id: "content", tabindex: "-1" });
  document
    .getElementById("app")
    .replaceChildren(
      h("a", { class: "skip-link", href: "#content" }, "Skip to the content"),
      h(
        "header",
        { class: "page-header" },
        h("div", { class: "page-title" }, h("h1", {}, data.title), subtitle(data.subtitle)),
        h("div", { class: "page-tools" }, tools, themeSwitch(), keyboardHelp()),
      ),
      main,
      h("footer", { class: "page-footer" }, `tilewright ${data.version}`),
    );
  return main;
}

function subtitle(text) {
  return text ? h("p", { class: "subtitle" }, text) : null;
}
