// A search in the text of the current step.

import { h } from "../common/dom.js";

export class SearchBox {
  /** @param {import("./code_pane.js").CodePane} pane */
  constructor(pane) {
    this.pane = pane;
    this.input = h("input", {
      type: "search",
      class: "search-input",
      placeholder: "Search",
      "aria-label": "Search in the text",
      title: "Search (/)",
      oninput: () => this.search(),
      onkeydown: (event) => this.key(event),
    });
    this.count = h("span", { class: "search-count", "aria-live": "polite" });
    const button = (label, sign, by) =>
      h(
        "button",
        { class: "icon-button", title: label, "aria-label": label, onclick: () => this.go(by) },
        sign,
      );
    this.element = h(
      "div",
      { class: "search", role: "search" },
      this.count,
      button("Match before", "↑", -1),
      button("Next match", "↓", 1),
      this.input,
    );
    this.element.dataset.empty = "true";
  }

  key(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      this.go(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      event.stopPropagation();
      this.input.value = "";
      this.search();
      this.pane.element.focus();
    }
  }

  focus() {
    this.input.focus();
    this.input.select();
  }

  search() {
    const count = this.pane.search(this.input.value);
    if (count) this.go(1);
    else this.tell();
  }

  go(by) {
    this.pane.nextMatch(by);
    this.tell();
  }

  /** Shows the number of matches; also after the text has changed. */
  tell() {
    const { matches, match } = this.pane;
    const isEmpty = this.input.value === "";
    this.element.dataset.empty = String(isEmpty);
    if (isEmpty) this.count.textContent = "";
    else if (!matches.length) this.count.textContent = "none";
    else if (match < 0) this.count.textContent = String(matches.length);
    else this.count.textContent = `${match + 1} / ${matches.length}`;
  }
}
