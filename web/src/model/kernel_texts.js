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
    else replace(body, code("mlir", textOf().map(numbered)));
    const start = body.querySelector(".begins-here");
    if (start) body.firstChild.scrollTop = start.offsetTop - 8;
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

/** The source of the segment, scrolled to the kernel. */
function sourceText(lines, kernel) {
  const head = `def ${kernel.name.split(" + ")[0]}(`;
  const start = lines.findIndex((line) => line.startsWith(head));
  return code(
    "python",
    lines.map(numbered).map((line) => ({ ...line, isMarked: line.number === start + 1 })),
  );
}

function numbered(text, at) {
  return { text, number: at + 1 };
}

function code(language, lines) {
  return h(
    "pre",
    { class: "model-code", tabindex: "0", role: "region", "aria-label": "Text" },
    lines.map(({ text, number, isMarked }) => {
      const words = h("span", {});
      appendHighlighted(words, language, text || " ");
      return h(
        "div",
        { class: isMarked ? "model-code-line marked begins-here" : "model-code-line" },
        h("span", { class: "line-number", "aria-hidden": "true" }, number),
        words,
      );
    }),
  );
}
