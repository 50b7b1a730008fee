// The model's source: for each line its kernels and the time spent in them.

import { h, replace } from "../common/dom.js";
import { appendHighlighted } from "../common/highlight.js";
import { time } from "../common/numbers.js";
import { lineKey } from "./facts.js";

const MOST_KERNELS = 4;

/**
 * @param {object} facts
 * @param {(file: number, line: number) => void} onLine
 */
export function sourceView(facts, onLine) {
  const { files, graphs } = facts.data;
  const readable = files.flatMap((file, index) => (file.lines ? [index] : []));
  const breaks = new Map(
    graphs.flatMap(({ ended_by: end }) =>
      end?.place ? [[lineKey(end.place[0], end.place[1]), end.reason]] : [],
    ),
  );
  const holder = h("div", {
    class: "source",
    role: "region",
    tabindex: "0",
    "aria-label": "Source of the model",
  });
  const choice = h(
    "select",
    { "aria-label": "File", onchange: () => show(Number(choice.value)) },
    readable.map((index) => h("option", { value: index }, files[index].name)),
  );
  let shown = -1;
  let rows = [];
  let marked = [];

  const show = (index) => {
    if (shown === index) return;
    shown = index;
    choice.value = String(index);
    rows = files[index].lines.map((text, at) =>
      lineRow(facts, breaks, index, at + 1, text, onLine),
    );
    replace(holder, rows);
  };
  const scrollTo = (row) => {
    const { top, bottom } = row.getBoundingClientRect();
    const view = holder.getBoundingClientRect();
    if (top < view.top || bottom > view.bottom) {
      holder.scrollTop = row.offsetTop - holder.clientHeight / 3;
    }
  };
  const element = h(
    "section",
    { class: "source-part", "aria-labelledby": "source-title" },
    h(
      "div",
      { class: "part-head" },
      h("h2", { id: "source-title" }, "Source"),
      readable.length > 1
        ? choice
        : h("span", { class: "soft mono" }, readable.length ? files[readable[0]].name : ""),
    ),
    readable.length
      ? holder
      : h(
          "p",
          { class: "empty" },
          "The source of the model is not there, or has no lines in the graph.",
        ),
    h(
      "p",
      { class: "soft source-note" },
      "A kernel's time is divided among the lines of its ops, evenly by op.",
    ),
  );
  if (readable.length) show(firstFile(facts, readable));
  return {
    element,
    /** Marks lines `[file, line]`. */
    select(places) {
      for (const row of marked) row.classList.remove("selected");
      marked = [];
      const here = places.filter((place) => files[place[0]]?.lines);
      if (here.length === 0) return;
      if (!here.some((place) => place[0] === shown)) show(here[0][0]);
      marked = here.flatMap(([file, line]) => (file === shown ? (rows[line - 1] ?? []) : []));
      for (const row of marked) row.classList.add("selected");
      if (marked.length) scrollTo(marked[0]);
    },
    /** After the page has a size: the first line that computes. */
    begin() {
      const first = facts.data.lines.find((line) => line.file === shown);
      if (first) holder.scrollTop = Math.max(0, rows[first.line - 1].offsetTop - 40);
    },
  };
}

/** The file whose lines take most of the time. */
function firstFile(facts, readable) {
  const spent = new Map(readable.map((index) => [index, 0]));
  for (const { file, seconds } of facts.data.lines) {
    if (spent.has(file)) spent.set(file, spent.get(file) + seconds);
  }
  return [...spent].sort((a, b) => b[1] - a[1])[0][0];
}

function lineRow(facts, breaks, file, number, text, onLine) {
  const line = facts.lines.get(lineKey(file, number));
  const broken = breaks.get(lineKey(file, number));
  const share = line ? facts.share(line.seconds) : null;
  const parts = [
    h("span", { class: "line-number" }, number),
    line ? timeMark(facts, line, share) : h("span", { class: "line-time" }),
    highlighted(text),
    line && h("span", { class: "line-kernels" }, kernelsText(line.kernels)),
    line?.torch ? h("span", { class: "badge warn" }, "in torch") : null,
    broken && h("span", { class: "badge bad", title: broken }, "graph break"),
  ];
  if (!line) return h("div", { class: `line ${broken ? "broken" : ""}` }, parts);
  return h(
    "button",
    {
      class: `line ${line.torch ? "in-torch" : ""} ${broken ? "broken" : ""}`,
      onclick: () => onLine(file, number),
    },
    parts,
  );
}

function highlighted(text) {
  const code = h("code", {});
  appendHighlighted(code, "python", text || " ");
  return code;
}

function timeMark(facts, line, share) {
  if (!line.kernels.length || share === null) return h("span", { class: "line-time" });
  const bar = h("span", { class: "bar", "aria-hidden": "true" });
  bar.style.width = `${Math.round(100 * share)}%`;
  return h("span", { class: "line-time", title: time(line.seconds) }, bar, facts.percent(share));
}

function kernelsText(kernels) {
  const shown = kernels.slice(0, MOST_KERNELS).map((index) => `#${index + 1}`);
  const rest = kernels.length - shown.length;
  return shown.join(" ") + (rest > 0 ? ` +${rest}` : "");
}
