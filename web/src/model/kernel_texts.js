// The texts of a kernel: the plan with its statement marked, its steps, the source and the payload.

import { copyButton } from "../common/copy.js";
import { h, replace } from "../common/dom.js";
import { stepsView } from "./steps_view.js";

/** Tabs over the texts; the tab stays when another kernel is selected. */
export function kernelTexts(facts) {
  const { kernels, segments, texts, programs } = facts.data;
  const tabs = { plan: "Plan", steps: "Steps", source: "Source", payload: "Payload" };
  let shown = "plan";
  let index = 0;
  const body = h("div", { class: "text-body", role: "tabpanel", "aria-label": "Text" });
  const buttons = Object.entries(tabs).map(([name, title]) =>
    h(
      "button",
      { class: "button small", role: "tab", dataset: { tab: name }, onclick: () => open(name) },
      title,
    ),
  );
  const copy = copyButton(() => textOf().join("\n"));
  const element = h(
    "div",
    { class: "kernel-texts" },
    h(
      "div",
      { class: "part-head" },
      h("div", { class: "tabs", role: "tablist", "aria-label": "Texts of the kernel" }, buttons),
      copy,
    ),
    body,
  );
  element.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || event.target.getAttribute("role") !== "tab") return;
    event.preventDefault();
    event.stopPropagation();
    const names = Object.keys(tabs);
    open(names[(names.indexOf(shown) + step + names.length) % names.length]);
    buttons[names.indexOf(shown)].focus();
  });

  const textOf = () => {
    const segment = segments[kernels[index].segment];
    return texts[segment[shown === "steps" ? "plan" : shown]];
  };
  const open = (name) => {
    shown = name;
    draw();
  };
  const draw = () => {
    for (const button of buttons) {
      const isShown = button.dataset.tab === shown;
      button.setAttribute("aria-selected", String(isShown));
      button.tabIndex = isShown ? 0 : -1;
    }
    copy.hidden = shown === "steps";
    const kernel = kernels[index];
    if (shown === "steps") replace(body, steps(programs, kernel));
    else if (shown === "plan") replace(body, planText(textOf(), kernel));
    else if (shown === "source")
      replace(body, wholeText(textOf(), `def ${kernel.name.split(" + ")[0]}(`));
    else replace(body, wholeText(textOf(), ""));
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

function steps(programs, kernel) {
  if (kernel.program !== null) return stepsView(programs[kernel.program]);
  return h(
    "p",
    { class: "empty" },
    "The page has the steps of the kernels that take longest. ",
    h("code", {}, "--details N"),
    " takes more of them in; a kernel under the default schedule has none of its own.",
  );
}

/** The statements of this kernel, with the one marked that made its grid. */
function planText(lines, kernel) {
  if (!kernel.plan_lines) {
    return h(
      "p",
      { class: "empty" },
      "The plan has no statements for this kernel: the default schedules it.",
    );
  }
  const [first, last] = kernel.plan_lines;
  return code(
    lines.slice(first - 1, last).map((text, at) => ({
      text,
      number: first + at,
      isMarked: first + at === kernel.plan_line,
    })),
  );
}

/** All of a text; it begins at a line that has some words. */
function wholeText(lines, words) {
  const start = words ? lines.findIndex((line) => line.includes(words)) : -1;
  return code(
    lines.map((text, at) => ({
      text,
      number: at + 1,
      begins: at === start,
      isMarked: at === start,
    })),
  );
}

function code(lines) {
  return h(
    "pre",
    { class: "code", tabindex: "0", role: "region", "aria-label": "Text" },
    lines.map(({ text, number, isMarked, begins }) =>
      h(
        "div",
        { class: `code-line ${isMarked ? "marked" : ""} ${begins ? "begins-here" : ""}` },
        h("span", { class: "line-number", "aria-hidden": "true" }, number),
        h("span", {}, text || " "),
      ),
    ),
  );
}
