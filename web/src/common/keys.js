// The keys of a page: one table, from which the listener and the help are made.

import { h } from "./dom.js";

/** @type {{keys: string[], does: string, run: (event: KeyboardEvent) => void}[]} */
const bindings = [];

/** Binds keys (`ArrowRight`, `d`, `?`) to what they do; the help lists them. */
export function bind(keys, does, run) {
  bindings.push({ keys: [].concat(keys), does, run });
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const found = bindings.find((binding) => binding.keys.includes(event.key));
  if (!found) return;
  event.preventDefault();
  found.run(event);
});

function isTyping(target) {
  return target instanceof Element && target.closest("input, select, textarea, .cm-editor, dialog");
}

/** The button that shows the keys. */
export function keyboardHelp() {
  const list = h("dl", { class: "key-list" });
  const dialog = h(
    "dialog",
    { "aria-labelledby": "keys-title" },
    h("h2", { id: "keys-title" }, "Keys"),
    list,
    h("form", { method: "dialog" }, h("button", { class: "button" }, "Close")),
  );
  const show = () => {
    list.replaceChildren(
      ...bindings.flatMap(({ keys, does }) => [
        h(
          "dt",
          {},
          keys.map((key) => h("kbd", {}, SHOWN[key] ?? key)),
        ),
        h("dd", {}, does),
      ]),
    );
    dialog.showModal();
  };
  bind("?", "show the keys", show);
  const button = h(
    "button",
    { class: "icon-button", title: "Keys (?)", "aria-label": "Keys", onclick: show },
    "?",
  );
  return h("span", {}, button, dialog);
}

const SHOWN = {
  ArrowRight: "→",
  ArrowLeft: "←",
  ArrowUp: "↑",
  ArrowDown: "↓",
  " ": "space",
};
