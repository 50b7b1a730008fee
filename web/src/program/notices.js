// What the reader should know before the steps: a failure, warnings, remarks, the open choices.

import { h, replace } from "../common/dom.js";

export class Notices {
  /** @param {{onPlace: (place: number[]) => void}} callbacks */
  constructor({ onPlace }) {
    this.onPlace = onPlace;
    this.element = h("div", { class: "notices" });
  }

  reset(facts) {
    const { failure, warnings = [], remarks = [], choices = [] } = facts.data;
    replace(
      this.element,
      failure ? this.failure(facts, failure) : null,
      warnings.map((one) => this.notice(facts, one, "warning")),
      this.remarks(facts, remarks),
      this.choices(choices),
    );
    this.element.hidden = !this.element.hasChildNodes();
  }

  failure(facts, failure) {
    return h(
      "section",
      { class: "notice failure", role: "alert", "aria-label": "Failure" },
      h("h2", {}, "The schedule does not apply"),
      this.fact(facts, failure),
      failure.remedy ? remedy(failure) : null,
      this.notes(facts, failure.notes),
      facts.last > 0
        ? h(
            "p",
            { class: "soft" },
            facts.last === 1
              ? "The step before it is below."
              : `The ${facts.last} steps before it are below.`,
          )
        : null,
    );
  }

  notice(facts, one, kind) {
    return h(
      "section",
      { class: `notice ${kind}` },
      this.fact(facts, one),
      one.remedy ? remedy(one) : null,
      this.notes(facts, one.notes),
    );
  }

  fact(facts, { fact, place }) {
    return h("p", { class: "fact" }, this.place(facts, place), fact);
  }

  place(facts, place) {
    if (!place) return null;
    const text = `${facts.placeText(place)}:${place[2]}`;
    return [h("button", { class: "link", onclick: () => this.onPlace(place) }, text), " "];
  }

  notes(facts, notes) {
    if (!notes?.length) return null;
    return h(
      "ul",
      { class: "notes" },
      notes.map(({ fact, place }) => h("li", {}, this.place(facts, place), fact)),
    );
  }

  remarks(facts, remarks) {
    if (!remarks.length) return null;
    const count = remarks.length === 1 ? "1 remark" : `${remarks.length} remarks`;
    return h(
      "details",
      { class: "notice remark" },
      h("summary", {}, count),
      this.notes(facts, remarks),
    );
  }

  choices(choices) {
    if (!choices.length) return null;
    return h(
      "div",
      { class: "choices", role: "group", "aria-label": "Open choices and the values taken" },
      h("span", { class: "soft" }, "Choices"),
      choices.map(({ name, options, value, structure, place }) =>
        h(
          "button",
          {
            class: `pill choice${structure ? " structure" : ""}${value === null ? " unused" : ""}`,
            title: `${name}: ${options.map(String).join(" | ")}${value === null ? " (in a branch that is not taken)" : ""}`,
            onclick: () => place && this.onPlace(place),
          },
          h("span", { class: "soft" }, `${name} `),
          value === null ? "—" : String(value),
        ),
      ),
    );
  }
}

function remedy({ remedy: text }) {
  return h("p", {}, h("strong", {}, "Remedy: "), text);
}
