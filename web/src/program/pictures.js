// The pictures of a step and of the whole program, drawn when they are seen.

import { h, replace } from "../common/dom.js";
import { drawNest } from "./nest_picture.js";

const MOST_KEPT = 50;

/** The picture of a loop nest, which shows ops that are pointed at. */
export class NestPicture {
  /** @param {{onOp: (op: number | null, how?: string) => void}} callbacks */
  constructor({ onOp }) {
    this.onOp = onOp;
    this.element = h("div", { class: "nest-picture" });
    this.drawn = new Map();
    this.nest = undefined;
    this.ops = [];
  }

  show(step) {
    const nest = step.nest ?? null;
    if (nest === this.nest) return;
    this.nest = nest;
    if (!nest) {
      replace(this.element, h("p", { class: "empty" }, missing(step)));
      return;
    }
    if (!this.drawn.has(nest)) {
      if (this.drawn.size > MOST_KEPT) this.drawn.clear();
      this.drawn.set(nest, drawNest(nest, { onOp: this.onOp, highlighted: new Set(this.ops) }));
    }
    replace(this.element, this.drawn.get(nest));
  }

  /** Marks ops; the picture's elements name their op in `data-op`. */
  highlight(ops) {
    this.ops = ops;
    const wanted = new Set(ops.map(String));
    for (const one of this.element.querySelectorAll("[data-op]")) {
      one.classList.toggle("highlighted", wanted.has(one.dataset.op));
    }
  }
}

function missing({ origin }) {
  return origin === "source" || origin === "compiler"
    ? "A text has no loop nest. See the steps before it."
    : "There is no picture of this step's loop nest.";
}

/** The picture under the schedule, where the window is wide. */
export class NestPanel {
  constructor(callbacks) {
    this.picture = new NestPicture(callbacks);
    this.element = h(
      "section",
      { class: "nest-panel", "aria-label": "Loop nest" },
      h("h2", { class: "panel-title" }, "Loop nest"),
      this.picture.element,
    );
  }

  /** The panel is away where the step has no nest, or the nest is shown large. */
  show(step, view) {
    this.element.hidden = !step.nest || view === "nest";
    if (!this.element.hidden) this.picture.show(step);
  }

  highlight(ops) {
    if (!this.element.hidden) this.picture.highlight(ops);
  }
}
