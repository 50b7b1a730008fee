// The element of one row of a text, and ranges of characters in it.

import { h } from "../common/dom.js";
import { appendHighlighted } from "../common/highlight.js";
import { changedPart } from "./rows.js";

const SIGNS = { add: "+", del: "−", change: " ", new: " ", same: " " };
const MOST_TEMPLATES = 4000;
const templates = new Map();

/** The code of a line; a line that was met before is copied, which is quicker than colouring it. */
function code(language, text) {
  const name = `${language}\n${text}`;
  let template = templates.get(name);
  if (!template) {
    if (templates.size > MOST_TEMPLATES) templates.clear();
    template = document.createElement("span");
    template.className = "code";
    const indent = text.match(/^\s*/)[0].replaceAll("\t", "    ").length;
    template.style.setProperty("--indent", `${Math.min(indent, 40) + 4}ch`);
    appendHighlighted(template, language, text || " ");
    templates.set(name, template);
  }
  return template.cloneNode(true);
}

function number(value, sign = " ") {
  return h("span", {
    class: "num",
    "data-n": value === null ? "" : value + 1,
    "data-sign": sign,
    "aria-hidden": "true",
  });
}

function foldButton(region, isFolded) {
  return h(
    "button",
    {
      class: "fold",
      tabindex: "-1",
      "aria-label": isFolded ? "unfold the region" : "fold the region",
      "aria-expanded": String(!isFolded),
      dataset: { op: region[0] },
    },
    isFolded ? "▸" : "▾",
  );
}

/**
 * The element of a row.
 * @param {object} shown what the pane shows: `before`, `after`, `language`, `regions`, `folded`, `split`
 */
export function rowElement(row, index, shown) {
  if (row.kind === "gap") return gapElement(row, index);
  const { before, after, language } = shown;
  const element = h("div", { class: `row ${row.kind}`, dataset: { row: index } });
  if (shown.split) {
    element.classList.add("split");
    const left =
      row.old === null ? h("span", { class: "code none" }) : code(language, before[row.old]);
    const right =
      row.line === null ? h("span", { class: "code none" }) : code(language, after[row.line]);
    left.classList.add("left");
    right.classList.add("right");
    element.append(number(row.old), left, number(row.line), right);
  } else {
    const text = row.line === null ? before[row.old] : after[row.line];
    element.append(number(row.line ?? row.old, SIGNS[row.kind]), code(language, text));
  }
  const region = row.line === null ? undefined : shown.regions.get(row.line);
  if (region) element.append(foldButton(region, shown.folded.has(region[0])));
  return element;
}

function gapElement(row, index) {
  return h(
    "div",
    { class: "row gap", dataset: { row: index } },
    h("button", { class: "gap-button", dataset: { gap: index } }, `⋯ ${row.label}`),
  );
}

/** The text that a row shows; on two sides, that after the step. */
export function rowText(row, shown) {
  if (row.kind === "gap") return `⋯ ${row.label}`;
  return row.line === null ? shown.before[row.old] : shown.after[row.line];
}

/** The characters that changed in a row that replaces another one: `[side, range]` each. */
export function changedRanges(row, element, shown) {
  if (row.kind === "change" && row.old !== null && row.line !== null) {
    const [start, oldEnd, end] = changedPart(shown.before[row.old], shown.after[row.line]);
    return [
      ["del", rangeOf(element.querySelector(".left"), start, oldEnd)],
      ["add", rangeOf(element.querySelector(".right"), start, end)],
    ];
  }
  if (!row.pair) return [];
  const isOld = row.kind === "del";
  const [old, line] = isOld ? [row.old, row.pair.line] : [row.pair.old, row.line];
  const [start, oldEnd, end] = changedPart(shown.before[old], shown.after[line]);
  return [[row.kind, rangeOf(element.querySelector(".code"), start, isOld ? oldEnd : end)]];
}

/** The range of some characters of an element's text; null if there are none. */
export function rangeOf(element, start, end) {
  if (end <= start) return null;
  const range = document.createRange();
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let at = 0;
  let begun = false;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const next = at + node.length;
    if (!begun && start < next) {
      range.setStart(node, start - at);
      begun = true;
    }
    if (begun && end <= next) {
      range.setEnd(node, end - at);
      return range;
    }
    at = next;
  }
  return null;
}
