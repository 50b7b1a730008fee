// The steps as a plain list with the text after each.

import { h, replace } from "../common/dom.js";

export function createProgramView(data, { onStep } = {}) {
  const select = h("select", { "aria-label": "Step", onchange: () => show(Number(select.value)) });
  const lines = h("pre", {
    class: "listing-text",
    tabindex: "0",
    "aria-label": "The text after the step",
  });
  const element = h("div", { class: "listing" }, h("div", { class: "listing-bar" }, select), lines);
  let now = data;
  const update = (next) => {
    now = next;
    replace(
      select,
      next.steps.map((step, at) => h("option", { value: at }, `${at} ${step.title}`)),
    );
    show(next.steps.length - 1);
  };
  const show = (at) => {
    const step = now.steps[Math.min(Math.max(at, 0), now.steps.length - 1)];
    select.value = String(at);
    lines.textContent = step.lines.map((line) => now.text[line]).join("\n");
    onStep?.(at);
  };
  update(data);
  return { element, update, show };
}
