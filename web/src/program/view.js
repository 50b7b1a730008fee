// The program view: the schedule, the steps, the IR after a step, and its pictures.
//
// The page of `tilewright view` frames one view; the live page embeds one and gives it new data after
// each edit.

import { copyButton } from "../common/copy.js";
import { announce, h, replace } from "../common/dom.js";
import { bind } from "../common/keys.js";
import { CodeView, VIEWS } from "./code_view.js";
import { Facts } from "./facts.js";
import { Notices } from "./notices.js";
import { NestPanel } from "./pictures.js";
import { meaning } from "./pointing.js";
import { SchedulePane } from "./schedule_pane.js";
import { StepBar } from "./step_bar.js";
import { StepHeader } from "./step_header.js";
import { StepList } from "./step_list.js";

/**
 * @param {object} data the data of a program page
 * @param {{schedulePane?: boolean, step?: number, view?: string,
 *   onStep?: (step: number) => void, onChange?: (state: {step: number, view: string}) => void,
 *   onPlace?: (place: number[]) => void, onHandles?: (names: string[]) => void}} [options]
 *   `onPlace` is told when the reader wants to see a place of a file, `onHandles` which handles hold
 *   the op under the pointer; both matter where an editor replaces the schedule pane
 * @returns {{element: HTMLElement, update: (data: object) => void,
 *   show: (step: number, view?: string) => void, state: () => {step: number, view: string},
 *   pointAtHandle: (name: string | null, line?: number) => void}}
 */
export function createProgramView(data, options = {}) {
  const view = new ProgramView(options);
  view.update(data);
  view.bindKeys();
  return {
    element: view.element,
    update: (newer) => view.update(newer),
    show: (step, mode) => view.show(step, mode),
    state: () => ({ step: view.step, view: view.mode }),
    pointAtHandle: (name, line) =>
      view.point(name === null ? null : { type: "handle", name, line }, "hover"),
  };
}

class ProgramView {
  constructor(options) {
    this.options = options;
    this.step = options.step ?? 0;
    this.mode = VIEWS.includes(options.view) ? options.view : "diff";
    this.hovered = null;
    this.pinned = null;
    this.makeParts();
    this.layOut();
  }

  makeParts() {
    const onStep = (step) => this.show(step);
    const onPlace = (place) => this.goTo(place);
    this.notices = new Notices({ onPlace });
    this.bar = new StepBar({ onStep });
    this.list = new StepList({ onStep });
    this.header = new StepHeader({
      onPlace,
      onHandle: (name, how) => this.point(how === "leave" ? null : { type: "handle", name }, how),
    });
    this.schedule = new SchedulePane({
      onLine: (file, line, how) => this.onFileLine(file, line, how),
      onHandle: (name, line, how) => this.point({ type: "handle", name, line }, how),
      onLeave: () => this.point(null, "hover"),
    });
    const onOp = (op, how = "click") => this.point(op === null ? null : { type: "op", op }, how);
    this.nest = new NestPanel({ onOp });
    this.code = new CodeView({
      onMode: (mode) => this.show(this.step, mode),
      onLine: (line, how) => this.point(line === null ? null : { type: "line", line }, how),
      onOp,
      onPlace,
    });
    this.status = h("div", { class: "status", role: "status" });
  }

  layOut() {
    const withSchedule = this.options.schedulePane !== false;
    this.body = h(
      "div",
      { class: `program-body${withSchedule ? "" : " without-schedule"}` },
      this.list.element,
      h(
        "div",
        { class: "left-column" },
        withSchedule ? this.schedule.element : null,
        this.nest.element,
      ),
      h(
        "section",
        { class: "right-column", "aria-label": "The program after the step" },
        this.header.element,
        this.code.element,
        this.status,
      ),
    );
    this.code.tools.append(copyButton(() => this.facts.text(this.step).join("\n")));
    this.empty = h("p", { class: "empty", hidden: true }, "There is no step to show.");
    this.element = h(
      "div",
      { class: "program-view" },
      h("div", { class: "program-top" }, this.notices.element, this.bar.element),
      this.empty,
      this.body,
    );
  }

  bindKeys() {
    bind(["ArrowRight", "j"], "next step", () => this.show(this.step + 1));
    bind(["ArrowLeft", "k"], "step before", () => this.show(this.step - 1));
    bind("Home", "first step", () => this.show(0));
    bind("End", "last step", () => this.show(this.facts.last));
    bind("d", "difference against the step before", () => this.show(this.step, "diff"));
    bind("s", "both side by side", () => this.show(this.step, "split"));
    bind("t", "the whole text", () => this.show(this.step, "whole"));
    bind("n", "the loop nest", () => this.show(this.step, "nest"));
    bind("p", "the whole program", () => this.show(this.step, "program"));
    bind("w", "wrap long lines", () => this.code.toggleWrap());
    bind("/", "search", () => this.code.search.focus());
    bind("Escape", "point at nothing", () => {
      this.pinned = null;
      this.point(null, "hover");
    });
  }

  /** Takes new data; the step and the view stay where they can. */
  update(data) {
    const before = this.facts?.steps[this.step];
    this.facts = new Facts(data);
    this.step = before ? sameStep(this.facts.steps, this.step, before) : this.step;
    this.notices.reset(this.facts);
    const isEmpty = this.facts.last < 0;
    this.empty.hidden = !isEmpty;
    this.body.hidden = isEmpty;
    this.bar.element.hidden = isEmpty;
    if (isEmpty) return;
    this.bar.reset(this.facts);
    this.list.reset(this.facts);
    if (this.options.schedulePane !== false) this.schedule.reset(this.facts);
    this.code.reset(this.facts);
    this.hovered = null;
    this.shown = null;
    this.show(this.step, this.mode);
  }

  /** Shows a step, in a view if one is named. */
  show(wanted, mode = this.mode) {
    if (this.facts.last < 0) return;
    const step = Math.max(0, Math.min(this.facts.last, wanted));
    const view = VIEWS.includes(mode) ? mode : "diff";
    const isNewStep = this.shown !== step;
    if (!isNewStep && view === this.mode && this.shown !== null) return;
    this.step = step;
    this.mode = view;
    this.shown = step;
    if (isNewStep) this.drawStep();
    this.code.show(step, view);
    this.nest.show(this.facts.steps[step], view);
    this.applyPointer();
    this.settle();
    if (isNewStep) this.options.onStep?.(step);
    this.options.onChange?.({ step, view });
  }

  // Measuring makes the browser lay out the page, so all of it comes after all changes. A view that is
  // not in the page yet has no size; it will be there when the script that made it is done.
  settle() {
    if (!this.element.isConnected) {
      queueMicrotask(() => this.element.isConnected && this.settle());
      return;
    }
    this.list.settle();
    if (this.options.schedulePane !== false) this.schedule.settle();
    this.code.settle();
  }

  drawStep() {
    const { steps, data } = this.facts;
    const shown = steps[this.step];
    // A pinned op keeps its number; a line means another op now.
    if (this.pinned?.type === "line") this.pinned = null;
    this.hovered = null;
    this.bar.choose(this.step);
    this.list.choose(this.step);
    this.header.show(this.facts, this.step);
    if (this.options.schedulePane !== false) {
      this.schedule.setStep(shown.place, data.failure?.place ?? null);
    }
    announce(`step ${this.step} of ${this.facts.last}: ${shown.title}`);
  }

  // -- pointing ------------------------------------------------------------------------

  onFileLine(file, line, how) {
    const step = this.facts.stepOfLine(file, line);
    const isPayload = file === this.facts.data.payload && file !== this.facts.data.schedule;
    if (how === "click" && step !== undefined && !isPayload) {
      this.pinned = null;
      this.show(step);
      return;
    }
    this.point({ type: "file", file, line }, how);
  }

  /** Points at something: for a moment (`hover`, `focus`), or until Escape (`click`). */
  point(pointer, how) {
    if (how === "click") this.pinned = samePointer(pointer, this.pinned) ? null : this.pin(pointer);
    this.hovered = pointer;
    this.applyPointer(how === "click");
  }

  pin(pointer) {
    if (pointer?.type !== "line" || this.facts.hasOrigins(this.step)) return pointer;
    const { op } = this.facts.holders(this.step, pointer.line);
    return op === null ? pointer : { type: "op", op };
  }

  applyPointer(reveal = false) {
    const pointer = this.hovered ?? this.pinned;
    const found = meaning(this.facts, this.step, pointer);
    this.code.mark(found, pointer?.type === "line" ? "pointed" : "held");
    if (reveal && pointer?.type !== "line") this.code.reveal(found);
    this.nest.highlight(found.ops);
    this.code.highlightOps(found.ops);
    if (this.options.schedulePane !== false) {
      this.markSchedule(pointer, found);
    }
    this.options.onHandles?.(found.handles);
    this.status.classList.toggle("quiet", !found.texts.length);
    const texts = found.texts.length ? found.texts : [this.hint()];
    replace(
      this.status,
      texts.map((text) => h("span", { title: text }, text)),
    );
  }

  markSchedule(pointer, found) {
    const names = new Set(found.handles);
    const ops = new Set(found.ops);
    this.schedule.markHandles(
      names.size === 0
        ? null
        : (name, line) =>
            names.has(name) &&
            (pointer.type === "handle" ||
              this.facts.handle(this.step, name, line)?.[2].some((op) => ops.has(op))),
    );
    this.schedule.markOrigins(found.places, pointer?.type === "line");
  }

  hint() {
    const { handles = [], ops = [] } = this.facts.steps[this.step];
    if (this.facts.hasOrigins(this.step)) return "Point at a line to see where it comes from.";
    if (ops.length && handles.some(([, , held]) => held.length)) {
      return "Point at a handle to see its ops, or at an op to see its handles.";
    }
    return "";
  }

  /** Shows a place of a file, and the step that belongs to it. */
  goTo(place) {
    this.options.onPlace?.(place);
    if (this.options.schedulePane !== false) this.schedule.open(place[0]);
    const step = this.facts.stepOfLine(place[0], place[1]);
    if (step !== undefined) this.show(step);
    else if (this.options.schedulePane !== false) this.schedule.reveal(place);
  }
}

// After an edit: the same statement if it is still there, else the same number.
function sameStep(steps, number, before) {
  const isSame = (step) =>
    step &&
    step.title === before.title &&
    step.origin === before.origin &&
    (step.place?.[1] ?? 0) === (before.place?.[1] ?? 0);
  if (isSame(steps[number])) return number;
  const found = steps.findIndex(isSame);
  return found >= 0 ? found : Math.min(number, steps.length - 1);
}

function samePointer(a, b) {
  return a !== null && JSON.stringify(a) === JSON.stringify(b);
}
