// All steps, in groups by level; one is the current one.

import { h, replace } from "../common/dom.js";

export class StepList {
  /** @param {{onStep: (step: number) => void}} callbacks */
  constructor({ onStep }) {
    this.onStep = onStep;
    this.element = h("div", {
      class: "step-list",
      role: "listbox",
      tabindex: "0",
      "aria-label": "Steps",
    });
    this.element.addEventListener("click", (event) => {
      const option = event.target.closest("[data-step]");
      if (option) onStep(Number(option.dataset.step));
    });
    this.element.addEventListener("keydown", (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      onStep(this.step + by);
    });
  }

  /** Takes new data. */
  reset(facts) {
    this.options = [];
    this.step = null;
    const groups = facts.levels().map((level, number) => {
      const options = [];
      for (let step = level.first; step <= level.last; step++) {
        this.options[step] = this.option(facts, step);
        options.push(this.options[step]);
      }
      const id = `level-${number}`;
      return h(
        "div",
        { class: `step-group from-${level.origin}`, role: "group", "aria-labelledby": id },
        h("div", { class: "step-level", id, role: "presentation" }, level.label),
        options,
      );
    });
    replace(this.element, groups);
  }

  option(facts, step) {
    const { title, diff, verified } = facts.steps[step];
    const status = verified?.status;
    const failed = status === "wrong";
    return h(
      "div",
      {
        class: `step-option${failed ? " wrong" : ""}`,
        role: "option",
        id: `step-${step}`,
        "aria-selected": "false",
        dataset: { step },
        title: facts.placeLine(facts.steps[step].place) || title,
      },
      h("span", { class: "step-number" }, String(step)),
      h("span", { class: "step-title" }, title.replace(/^codegen\./, "")),
      change(diff),
    );
  }

  /** Marks the current step. */
  choose(step) {
    this.options[this.step]?.setAttribute("aria-selected", "false");
    this.step = step;
    const option = this.options[step];
    if (!option) return;
    option.setAttribute("aria-selected", "true");
    this.element.setAttribute("aria-activedescendant", option.id);
  }

  /** Scrolls to the current step: only the list, never the page around it. */
  settle() {
    const list = this.element;
    const option = this.options[this.step];
    if (!option) return;
    const { offsetTop: top, offsetLeft: left, offsetHeight: height, offsetWidth: width } = option;
    if (top < list.scrollTop + 24) list.scrollTop = top - 24;
    else if (top + height > list.scrollTop + list.clientHeight) {
      list.scrollTop = top + height - list.clientHeight + 24;
    }
    if (left < list.scrollLeft || left + width > list.scrollLeft + list.clientWidth) {
      list.scrollLeft = left - list.clientWidth / 3;
    }
  }
}

// How much a step changed: a bar whose length grows with the number of lines.
function change(diff) {
  if (!diff) return null;
  const added = diff.reduce((sum, [, , c, d]) => sum + d - c, 0);
  const removed = diff.reduce((sum, [a, b]) => sum + b - a, 0);
  if (!added && !removed) return null;
  const bar = h("span", { class: "step-change", title: `+${added} −${removed} lines` });
  const scale = (count) => `${count ? Math.min(20, 2 + 3 * Math.log2(1 + count)) : 0}px`;
  const part = (kind, count) => {
    const element = h("span", { class: kind });
    element.style.width = scale(count);
    return element;
  };
  bar.append(part("added", added), part("removed", removed));
  return bar;
}
