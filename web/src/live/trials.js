// The trials of a tuning run while it goes on.

import { h, replace } from "../common/dom.js";

export function createTrials() {
  const element = h("div", { class: "live-trials", hidden: true });
  return {
    element,
    clear() {
      element.hidden = true;
      replace(element);
    },
    update(data) {
      element.hidden = false;
      if (data.waiting) replace(element, h("p", { class: "empty" }, data.waiting));
    },
  };
}
