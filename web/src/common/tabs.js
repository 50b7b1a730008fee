// A list of tabs: one is chosen, arrow keys move between them.

import { h, replace } from "./dom.js";

/**
 * @param {{label: string, onChoose: (id: string) => void, panel?: string}} options `panel` is the id of
 *   the element that the tabs control
 */
export function tabs({ label, onChoose, panel = null }) {
  const element = h("div", { class: "tabs", role: "tablist", "aria-label": label });
  let items = [];
  let chosen = null;
  const buttons = () => [...element.children];

  element.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const at = items.findIndex(({ id }) => id === chosen);
    const next = items[(at + by + items.length) % items.length].id;
    onChoose(next);
    buttons()
      .find((button) => button.dataset.id === next)
      ?.focus();
  });

  return {
    element,
    /** @param {{id: string, label: string, title?: string, class?: string}[]} list */
    set(list) {
      items = list;
      replace(
        element,
        list.map((item) =>
          h(
            "button",
            {
              class: `tab ${item.class ?? ""}`,
              role: "tab",
              title: item.title,
              "aria-controls": panel,
              dataset: { id: item.id },
              onclick: () => onChoose(item.id),
            },
            item.label,
          ),
        ),
      );
      if (chosen !== null) this.choose(chosen);
    },
    choose(id) {
      chosen = id;
      for (const button of buttons()) {
        const isChosen = button.dataset.id === id;
        button.setAttribute("aria-selected", String(isChosen));
        button.tabIndex = isChosen ? 0 : -1;
      }
    },
  };
}
