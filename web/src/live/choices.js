// The open choices of the schedule: a slider for numbers, a switch for branches and words.

import { h, replace } from "../common/dom.js";

/** @param {(name: string, value: unknown) => void} onChoose */
export function createChoices(onChoose, onReset) {
  const sliders = h("div", { class: "control-list" });
  const switches = h("div", { class: "switch-list" });
  const reset = h("button", { class: "button small", onclick: onReset, hidden: true }, "Reset");
  const element = h(
    "section",
    { class: "control-panel", "aria-labelledby": "choices-title", hidden: true },
    h("div", { class: "section-head" }, h("h2", { id: "choices-title" }, "Choices"), reset),
    sliders,
    switches,
  );
  let shape = "";
  let controls = new Map();
  return {
    element,
    /** @param {{name: string, structure: boolean, options: unknown[], value: unknown}[]} choices */
    update(choices, isChosen) {
      element.hidden = choices.length === 0;
      reset.hidden = !isChosen;
      const now = JSON.stringify(
        choices.map(({ name, structure, options }) => [name, structure, options]),
      );
      // The same controls stay, so that a slider that is being moved keeps the focus.
      if (now !== shape) {
        shape = now;
        controls = new Map(choices.map((one) => [one.name, control(one, onChoose)]));
        const all = [...controls.values()];
        replace(
          sliders,
          all.filter((one) => one.isSlider).map((one) => one.element),
        );
        replace(
          switches,
          all.filter((one) => !one.isSlider).map((one) => one.element),
        );
      }
      for (const one of choices) controls.get(one.name).set(one.value);
    },
  };
}

function control(choice, onChoose) {
  const isNumeric = choice.options.every((option) => typeof option === "number");
  return isNumeric && !choice.structure ? slider(choice, onChoose) : segments(choice, onChoose);
}

let serial = 0;

function slider({ name, options }, onChoose) {
  const id = `choice-${serial++}`;
  const output = h("output", { class: "control-value mono", for: id });
  const input = h("input", {
    id,
    type: "range",
    min: 0,
    max: options.length - 1,
    step: 1,
    oninput: () => {
      show(options[Number(input.value)]);
      onChoose(name, options[Number(input.value)]);
    },
  });
  const show = (value) => {
    output.textContent = value === null ? "—" : String(value);
    input.setAttribute(
      "aria-valuetext",
      value === null ? "not in the branch taken" : String(value),
    );
  };
  const element = h(
    "div",
    { class: "control" },
    h("label", { for: id, class: "mono" }, name),
    input,
    output,
  );
  return {
    isSlider: true,
    element,
    set(value) {
      input.disabled = value === null || options.length < 2;
      element.classList.toggle("not-taken", value === null);
      element.title = value === null ? "not in the branch taken" : options.join(", ");
      if (value !== null) input.value = String(Math.max(0, options.indexOf(value)));
      show(value);
    },
  };
}

function segments({ name, options }, onChoose) {
  const group = `choice-${serial++}`;
  const inputs = options.map((option) =>
    h("input", { type: "radio", name: group, onchange: () => onChoose(name, option) }),
  );
  const element = h(
    "fieldset",
    { class: "control" },
    h("legend", { class: "mono" }, name),
    h(
      "span",
      { class: "segments" },
      options.map((option, at) =>
        h("label", { class: "segment" }, inputs[at], h("span", { class: "mono" }, String(option))),
      ),
    ),
  );
  return {
    element,
    set(value) {
      element.disabled = value === null;
      element.classList.toggle("not-taken", value === null);
      element.title = value === null ? "not in the branch taken" : "";
      inputs.forEach((input, at) => {
        input.checked = value !== null && options[at] === value;
      });
    },
  };
}
