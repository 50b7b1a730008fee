// The steps of one kernel: a list of them, and the IR after the one that is chosen.

import { h, replace } from "../common/dom.js";

/** @param {object} program the data of a program page */
export function stepsView(program) {
  const body = h("pre", {
    class: "code",
    tabindex: "0",
    role: "region",
    "aria-label": "After the step",
  });
  const buttons = program.steps.map((step, index) =>
    h(
      "button",
      { class: "step-button", onclick: () => show(index) },
      h("span", {}, step.title),
      h("small", { class: "soft" }, step.origin),
    ),
  );
  const show = (index) => {
    buttons.forEach((button, at) => {
      button.setAttribute("aria-pressed", String(at === index));
    });
    const step = program.steps[index];
    const isNew = newLines(step);
    replace(
      body,
      step.lines.map((line, at) =>
        h("div", { class: `code-line ${isNew(at) ? "added" : ""}` }, program.text[line] || " "),
      ),
    );
  };
  show(program.steps.length - 1);
  return h("div", { class: "steps" }, h("div", { class: "step-list" }, buttons), body);
}

function newLines(step) {
  const hunks = step.diff ?? [];
  return (at) => hunks.some(([, , first, end]) => at >= first && at < end);
}
