// The controls that go from step to step: buttons and a slider.

import { h } from "../common/dom.js";

export class StepBar {
  /** @param {{onStep: (step: number) => void}} callbacks */
  constructor({ onStep }) {
    this.slider = h("input", {
      type: "range",
      class: "step-slider",
      min: "0",
      step: "1",
      "aria-label": "Step",
      oninput: () => onStep(Number(this.slider.value)),
    });
    this.count = h("output", { class: "step-count" });
    const button = (label, sign, go) =>
      h(
        "button",
        { class: "icon-button", title: label, "aria-label": label, onclick: () => onStep(go()) },
        sign,
      );
    this.element = h(
      "div",
      { class: "step-bar", role: "group", "aria-label": "Go from step to step" },
      button("First step (Home)", "⇤", () => 0),
      button("Step before (←)", "←", () => this.step - 1),
      this.slider,
      button("Next step (→)", "→", () => this.step + 1),
      button("Last step (End)", "⇥", () => this.last),
      this.count,
    );
  }

  reset(facts) {
    this.facts = facts;
    this.last = Math.max(0, facts.last);
    this.slider.max = String(this.last);
    this.slider.disabled = this.last === 0;
  }

  choose(step) {
    this.step = step;
    this.slider.value = String(step);
    const { title } = this.facts.steps[step];
    this.slider.setAttribute("aria-valuetext", `step ${step} of ${this.last}: ${title}`);
    this.count.textContent = `${step} / ${this.last}`;
  }
}
