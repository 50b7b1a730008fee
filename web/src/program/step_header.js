// One line about the current step: what it is, where it is written, what it made.

import { h, replace } from "../common/dom.js";
import { appendHighlighted, languageOf } from "../common/highlight.js";
import { digits } from "../common/numbers.js";

const BADGES = {
  same: ["good", "same numbers"],
  rounded: ["good", "same but for rounding"],
  skipped: ["", "not compared"],
  wrong: ["bad", "other numbers"],
};

const ABOUT = {
  payload: "What to compute: the IR before the first step.",
  source: "The source that is generated from the kernels.",
  compiler: "What Triton's compiler makes of the source.",
};

export class StepHeader {
  /** @param {{onHandle: (name: string, how: string) => void, onPlace: (place: number[]) => void}} callbacks */
  constructor(callbacks) {
    this.callbacks = callbacks;
    this.element = h("div", { class: "step-header" });
  }

  show(facts, step) {
    const shown = facts.steps[step];
    const { title, op, place, ms, took_back: tookBack, verified } = shown;
    const about = shown.about || ABOUT[shown.origin];
    replace(
      this.element,
      h(
        "div",
        { class: "step-facts" },
        h("h2", { class: "step-name" }, h("span", { class: "step-index" }, `${step}`), title),
        h("span", { class: `badge origin-${shown.origin}` }, facts.level(step)),
        op && op !== title ? h("code", { class: "soft" }, op) : null,
        this.place(facts, place),
        ms ? h("span", { class: "soft" }, `${digits(ms)} ms`) : null,
        lineCount(shown),
        badge(verified),
        tookBack ? h("span", { class: "badge warn" }, `took back ${tookBack}`) : null,
      ),
      h("div", { class: "step-line" }, this.statement(facts, place), this.handles(shown)),
      about ? h("p", { class: "step-about" }, about) : null,
      verified?.text && verified.status !== "same"
        ? h("p", { class: "step-about" }, verified.text)
        : null,
      this.remarks(facts, place),
    );
  }

  place(facts, place) {
    if (!place) return null;
    return h(
      "button",
      { class: "link", onclick: () => this.callbacks.onPlace(place) },
      facts.placeText(place),
    );
  }

  statement(facts, place) {
    const text = facts.placeLine(place);
    if (!text) return null;
    const code = h("code", { class: "step-statement" });
    appendHighlighted(code, languageOf(facts.files[place[0]].name), text);
    return code;
  }

  /** The handles that the step made, which a reader can point at. */
  handles({ handles, place }) {
    const made = (handles ?? []).filter(
      ([, at, ops]) => ops.length && place && samePlace(at, place),
    );
    if (!made.length) return null;
    return h(
      "div",
      { class: "step-handles" },
      h("span", { class: "soft" }, "made"),
      made.map(([name, , ops]) => {
        const tell = (how) => () => this.callbacks.onHandle(name, how);
        return h(
          "button",
          {
            class: "pill",
            onpointerenter: tell("hover"),
            onpointerleave: tell("leave"),
            onfocus: tell("focus"),
            onblur: tell("leave"),
            onclick: tell("click"),
          },
          name,
          h("span", { class: "soft" }, ops.length === 1 ? " 1 op" : ` ${ops.length} ops`),
        );
      }),
    );
  }

  remarks(facts, place) {
    const { remarks = [] } = facts.data;
    const here = remarks.filter((one) => one.place && place && samePlace(one.place, place));
    return here.map(({ fact }) => h("p", { class: "step-remark" }, fact));
  }
}

function samePlace(a, b) {
  return a && b && a[0] === b[0] && a[1] === b[1];
}

function lineCount({ diff, lines }) {
  if (!diff) return h("span", { class: "soft" }, `${lines.length} lines`);
  const added = diff.reduce((sum, [, , c, d]) => sum + d - c, 0);
  const removed = diff.reduce((sum, [a, b]) => sum + b - a, 0);
  if (!added && !removed) return h("span", { class: "soft" }, "no line changed");
  return h(
    "span",
    { class: "line-count" },
    h("span", { class: "plus" }, `+${added}`),
    " ",
    h("span", { class: "minus" }, `−${removed}`),
    h("span", { class: "soft" }, " lines"),
  );
}

function badge(verified) {
  if (!verified) return null;
  const [kind, text] = BADGES[verified.status] ?? ["", verified.status];
  return h("span", { class: `badge ${kind}`, title: verified.text ?? "" }, text);
}
