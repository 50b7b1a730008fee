// The right side: the text after a step as a difference, side by side or whole, or a picture.

import { h, replace } from "../common/dom.js";
import { tabs } from "../common/tabs.js";
import { CodePane } from "./code_pane.js";
import { NestPicture } from "./pictures.js";
import { drawProgram } from "./program_picture.js";
import { diffRows, foldRegions, foldUnchanged, splitRows, wholeRows } from "./rows.js";
import { SearchBox } from "./search_box.js";

export const VIEWS = ["diff", "split", "whole", "nest", "program"];

const TABS = [
  { id: "diff", label: "Diff", title: "against the step before (d)" },
  { id: "split", label: "Side by side", title: "before and after (s)", class: "wide-only" },
  { id: "whole", label: "Whole", title: "the whole text (t)" },
  { id: "nest", label: "Loop nest", title: "the loop nest as a picture (n)" },
  { id: "program", label: "Program", title: "ops and kernels (p)" },
];

export class CodeView {
  /**
   * @param {{onMode: (mode: string) => void, onLine: (line: number | null, how: string) => void,
   *   onOp: (op: number | null, how?: string) => void, onPlace: (place: number[]) => void}} callbacks
   */
  constructor(callbacks) {
    this.callbacks = callbacks;
    this.folded = new Set();
    this.tabs = tabs({ label: "Views", onChoose: callbacks.onMode, panel: "view-panel" });
    this.tabs.set(TABS);
    this.pane = new CodePane({
      label: "Text after the step",
      onLine: callbacks.onLine,
      onFold: (op) => this.toggleRegion(op),
    });
    this.left = new CodePane({ label: "Text before", name: "left" });
    this.search = new SearchBox(this.pane);
    this.wrap = h(
      "button",
      {
        class: "button small wrap-button",
        "aria-pressed": "true",
        title: "Wrap long lines (w)",
        onclick: () => this.toggleWrap(),
      },
      "Wrap",
    );
    this.tools = h("div", { class: "code-tools" }, this.search.element, this.wrap);
    this.note = h("p", { class: "code-note", hidden: true });
    this.texts = h("div", { class: "code-panes wrap" }, this.left.element, this.pane.element);
    this.nest = new NestPicture({ onOp: callbacks.onOp });
    this.program = h("div", { class: "program-tab" });
    this.panel = h(
      "div",
      { class: "view-panel", id: "view-panel", role: "tabpanel", "aria-label": "The view" },
      this.note,
      this.texts,
      this.nest.element,
      this.program,
    );
    this.element = h(
      "div",
      { class: "code-view" },
      h("div", { class: "view-bar" }, this.tabs.element, this.tools),
      this.panel,
    );
  }

  reset(facts) {
    this.facts = facts;
    this.drawnProgram = false;
  }

  show(step, mode) {
    this.step = step;
    this.mode = mode;
    this.tabs.choose(mode);
    const isText = mode !== "nest" && mode !== "program";
    this.texts.hidden = !isText;
    this.tools.hidden = !isText;
    this.nest.element.hidden = mode !== "nest";
    this.program.hidden = mode !== "program";
    this.note.hidden = true;
    if (isText) this.showText();
    else if (mode === "nest") this.nest.show(this.facts.steps[step]);
    else this.showProgram();
  }

  /** Scrolls to what changed. */
  settle() {
    if (this.texts.hidden) return;
    if (!this.left.element.hidden) this.left.settle();
    this.pane.settle();
  }

  showText(keepScroll = false) {
    const shown = this.facts.steps[this.step];
    const { rows, split, beside } = this.rowsOf(shown);
    const regions = this.facts.regions(this.step);
    const folded = this.folded;
    this.pane.element.setAttribute("aria-label", `Text after step ${this.step}`);
    this.left.element.hidden = beside === null;
    this.texts.classList.toggle("two", beside !== null);
    this.pane.show(
      rows,
      {
        before: this.step > 0 ? this.facts.text(this.step - 1) : [],
        after: this.facts.text(this.step),
        language: this.facts.language(this.step),
        regions,
        folded,
        split,
      },
      { keepScroll },
    );
    if (beside !== null) this.showBeside(beside);
    this.search.tell();
  }

  rowsOf(shown) {
    const hasDiff = shown.diff !== null && shown.diff !== undefined;
    const regions = this.facts.regions(this.step);
    if (this.mode === "whole" || !hasDiff) {
      const beside = this.mode === "split" ? this.textBefore() : null;
      const isPass = shown.origin === "pass" && this.mode !== "whole";
      if (isPass) this.tell("A new text begins here: there is no difference to show.");
      const rows = foldRegions(wholeRows(shown, hasDiff), regions, this.folded);
      return { rows, split: false, beside };
    }
    if (shown.diff.length === 0) this.tell("This step changes no line.");
    const split = this.mode === "split";
    const rows = split ? splitRows(shown) : diffRows(shown);
    return {
      rows: foldUnchanged(foldRegions(rows, regions, this.folded)),
      split,
      beside: null,
    };
  }

  // The text that stands beside a new text: the source that a compiler read, or the step before.
  textBefore() {
    if (this.step === 0) return null;
    const { origin } = this.facts.steps[this.step];
    return (origin === "compiler" && this.facts.sourceStep(this.step)) || this.step - 1;
  }

  showBeside(step) {
    const shown = this.facts.steps[step];
    this.left.element.setAttribute("aria-label", `Text after step ${step}: ${shown.title}`);
    this.beside = step;
    this.left.show(wholeRows(shown, false), {
      before: [],
      after: this.facts.text(step),
      language: this.facts.language(step),
      regions: new Map(),
      folded: new Set(),
      split: false,
    });
  }

  tell(text) {
    this.note.textContent = text;
    this.note.hidden = false;
  }

  showProgram() {
    if (this.drawnProgram) return;
    this.drawnProgram = true;
    const { data } = this.facts;
    if (!data.nodes && !data.kernels) {
      replace(this.program, h("p", { class: "empty" }, "There is no picture of this program."));
      return;
    }
    const { onPlace } = this.callbacks;
    replace(
      this.program,
      drawProgram(data, {
        onKernel: (kernel) => this.open(data.kernels?.[kernel]?.schedule, onPlace),
        onNode: (id) => this.open(data.nodes?.find((node) => node.id === id)?.place, onPlace),
      }),
    );
  }

  open(place, onPlace) {
    if (place) onPlace(place);
  }

  toggleRegion(op) {
    if (this.folded.has(op)) this.folded.delete(op);
    else this.folded.add(op);
    this.showText(true);
    this.callbacks.onLine(null, "hover");
  }

  toggleWrap() {
    const isWrapped = this.texts.classList.toggle("wrap");
    this.wrap.setAttribute("aria-pressed", String(isWrapped));
  }

  // -- marks ---------------------------------------------------------------------------

  /** Marks the lines of what is pointed at. */
  mark(found, kind) {
    for (const one of ["held", "pointed"]) this.pane.mark(one, one === kind ? found.lines : []);
    const isBeside =
      !this.left.element.hidden && this.facts.steps[this.beside]?.origin === "source";
    const lines = isBeside && found.sourceLine !== null ? [found.sourceLine] : [];
    this.left.mark("held", lines);
    if (lines.length) this.left.reveal(lines[0]);
  }

  reveal(found) {
    if (!this.texts.hidden && found.lines.length) this.pane.reveal(found.lines[0]);
  }

  highlightOps(ops) {
    if (this.mode === "nest") this.nest.highlight(ops);
  }
}
