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
    this.shownAs = new Map();
    const opOf = (target) => target.closest("[data-op]")?.dataset.op;
    this.element.addEventListener("pointerover", (event) => {
      const op = opOf(event.target);
      onOp(op === undefined ? null : Number(op), "hover");
    });
    this.element.addEventListener("pointerleave", () => onOp(null, "hover"));
  }

  show(step) {
    const nest = step.nest ?? null;
    if (nest === this.nest) return;
    this.nest = nest;
    if (!nest) {
      replace(this.element, h("p", { class: "empty" }, missing(step)));
      return;
    }
    this.shownAs = shownAs(nest);
    if (!this.drawn.has(nest)) {
      if (this.drawn.size > MOST_KEPT) this.drawn.clear();
      this.drawn.set(nest, drawNest(nest, { onOp: this.onOp }));
    }
    replace(this.element, this.drawn.get(nest));
  }

  /** Marks what stands for some ops: a grid, a loop, an op of the picture. */
  highlight(ops) {
    this.ops = ops;
    const wanted = new Set(ops.map((op) => String(this.shownAs.get(op) ?? op)));
    for (const one of this.element.querySelectorAll("[data-op]")) {
      const part = one.closest(".nest-op") ?? one.parentElement;
      part.classList.toggle("marked", wanted.has(one.dataset.op));
    }
  }
}

// One op of a picture may stand for several of the IR.
function shownAs(nest, found = new Map()) {
  for (const child of nest.children ?? []) {
    for (const op of child.ops ?? []) found.set(op, child.op);
    shownAs(child, found);
  }
  return found;
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
      "div",
      { class: "nest-panel" },
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
