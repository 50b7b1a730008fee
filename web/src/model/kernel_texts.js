// The texts of a kernel: the plan with its statement marked, its steps, the source and the payload.

import { copyButton } from "../common/copy.js";
import { h, replace } from "../common/dom.js";
import { appendHighlighted } from "../common/highlight.js";
import { tabs } from "../common/tabs.js";
import { createProgramView } from "../program/view.js";

const TABS = [
  { id: "plan", label: "Plan", title: "The statements of the planned schedule" },
  { id: "steps", label: "Steps", title: "The kernel alone, step by step" },
  { id: "source", label: "Triton", title: "The source of the segment" },
  { id: "payload", label: "Payload", title: "The segment before the plan" },
];
const MANY_LINES = 800; // A longer text has neither colours nor numbers: it is drawn ten times sooner.
const REGION = { tabindex: "0", role: "region", "aria-label": "Text" };
const BODY = "kernel-text";

/** Tabs over the texts; the tab stays when another kernel is selected. */
export function kernelTexts(facts) {
  const { kernels, segments, texts, programs } = facts.data;
  const body = h("div", { id: BODY, role: "tabpanel", "aria-label": "Text of the kernel" });
  const choice = tabs({ label: "Texts of the kernel", panel: BODY, onChoose: (id) => open(id) });
  const copy = copyButton(() => textOf().join("\n"));
  const element = h("div", {}, h("div", { class: "part-head" }, choice.element, copy), body);
  const steps = stepsOf(programs);
  let shown = "plan";
  let index = 0;
  choice.set(TABS);

  const textOf = () => texts[segments[kernels[index].segment][shown]];
  // Long, and the same for all kernels of a segment.
  const payloads = new Map();
  const payload = () => {
    const number = segments[kernels[index].segment].payload;
    if (!payloads.has(number)) payloads.set(number, code("mlir", texts[number].map(numbered)));
    return payloads.get(number);
  };
  const open = (id) => {
    shown = id;
    draw();
  };
  const draw = () => {
    choice.choose(shown);
    copy.hidden = shown === "steps";
    const kernel = kernels[index];
    if (shown === "steps") replace(body, steps(kernel));
    else if (shown === "plan") replace(body, planText(textOf(), kernel));
    else if (shown === "source") replace(body, sourceText(textOf(), kernel));
    else if (body.firstChild !== payload()) replace(body, payload());
  };
  return {
    element,
    show(kernel) {
      index = kernel;
      draw();
    },
  };
}

/** One view for all kernels: it is made when the steps are first looked at. */
function stepsOf(programs) {
  let view = null;
  let shown = null;
  const holder = h("div", { class: "kernel-steps" });
  return (kernel) => {
    if (kernel.program === null) return noSteps();
    const program = programs[kernel.program];
    if (view === null) {
      view = createProgramView(program, { step: program.steps.length - 1 });
      holder.append(view.element);
    } else if (shown !== kernel.program) {
      view.update(program);
    }
    shown = kernel.program;
    return holder;
  };
}

function noSteps() {
  return h(
    "p",
    { class: "empty" },
    "The page has the steps of the kernels that take longest; ",
    h("code", {}, "--details N"),
    " takes in more. A kernel of the default schedule has no steps of its own.",
  );
}

/** The statements of this kernel, with the one marked that made its grid. */
function planText(lines, kernel) {
  if (!kernel.plan_lines) {
    const says = "The plan has no statements for this kernel: the default schedules it.";
    return h("p", { class: "empty" }, says);
  }
  const [first, last] = kernel.plan_lines;
  const own = lines.map(numbered).slice(first - 1, last);
  return code(
    "tw",
    own.map((line) => ({ ...line, isMarked: line.number === kernel.plan_line })),
  );
}

/** The kernel's own functions; the whole source of the segment can be opened. */
function sourceText(lines, kernel) {
  const all = lines.map(numbered);
  const own = kernel.source_lines.flatMap(([first, last]) => all.slice(first - 1, last));
  const whole = h(
    "details",
    {
      class: "whole-source",
      ontoggle: () => {
        if (whole.open && whole.children.length === 1) whole.append(code("python", all));
      },
    },
    h("summary", {}, `The whole source of the segment: ${lines.length} lines`),
  );
  const says = "A library computes this: the source has a call, and no kernel.";
  return h("div", {}, own.length ? code("python", own) : h("p", { class: "empty" }, says), whole);
}

function numbered(text, at) {
  return { text, number: at + 1 };
}

function code(language, lines) {
  if (lines.length > MANY_LINES) {
    const text = lines.map((line) => line.text).join("\n");
    return h("pre", { class: "model-code plain", ...REGION }, text);
  }
  return h(
    "pre",
    { class: "model-code", ...REGION },
    lines.map(({ text, number, isMarked }) => {
      const words = h("span", {});
      appendHighlighted(words, language, text || " ");
      return h(
        "div",
        { class: isMarked ? "model-code-line marked" : "model-code-line" },
        h("span", { class: "line-number", "aria-hidden": "true" }, number),
        words,
      );
    }),
  );
}
