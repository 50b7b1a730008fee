// All diagnostics as a list; each goes to its place.

import { h, replace } from "../common/dom.js";
import { described } from "./editor.js";

const NAMES = { error: "error", warning: "warning", info: "remark" };
const TONES = { error: "bad", warning: "warn", info: "" };

/** @param {(diagnostic: object) => void} go */
export function createProblems(go) {
  const list = h("ul", { class: "problem-list" });
  const element = h("section", { class: "problems", "aria-label": "Problems", hidden: true }, list);
  return {
    element,
    update(found) {
      element.hidden = found.length === 0;
      replace(
        list,
        found.map((one) => h("li", {}, problem(one, go))),
      );
    },
  };
}

function problem(one, go) {
  const place = one.file ? `${one.file}:${one.line}:${one.column}` : "";
  return h(
    "button",
    { class: "problem", onclick: () => go(one), disabled: !one.file },
    h("span", { class: `badge ${TONES[one.severity]}` }, NAMES[one.severity]),
    place ? h("span", { class: "mono problem-place" }, place) : null,
    h("span", { class: "problem-text" }, described(one)),
  );
}
