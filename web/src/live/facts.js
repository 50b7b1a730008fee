// Estimated time, registers and shared memory, each with its change against the state before.

import { h, replace } from "../common/dom.js";
import { bytes, digits, time } from "../common/numbers.js";

const FACTS = [
  { key: "seconds", label: "estimated time", show: time },
  { key: "registers", label: "registers a thread", show: digits },
  { key: "spills", label: "bytes spilled", show: digits },
  { key: "shared", label: "shared memory", show: bytes },
];

export function createFacts(target) {
  const list = h("dl", { class: "facts" });
  const note = h("p", { class: "facts-note", hidden: true });
  const element = h(
    "section",
    { class: "facts-box", "aria-label": `Estimate for ${target}` },
    list,
    note,
  );
  let shown = {};
  let before = {};
  const draw = (isCompiling) => {
    replace(
      list,
      FACTS.map((fact) => row(fact, shown[fact.key], before[fact.key], isCompiling)),
    );
  };
  draw(false);
  return {
    element,
    /** A new state begins: what is shown is what it will be compared with. */
    begin() {
      const known = Object.entries(shown).filter(([, value]) => value !== undefined);
      before = { ...before, ...Object.fromEntries(known) };
    },
    forget() {
      before = {};
    },
    update(estimate, isCompiling) {
      if (estimate.refused) {
        note.hidden = false;
        note.textContent = estimate.refused;
        shown = {};
      } else {
        shown = { ...summary(estimate) };
        note.hidden = !estimate.misfit;
        note.textContent = estimate.misfit
          ? `It will run badly or not at all: ${estimate.misfit}`
          : "";
      }
      element.classList.toggle("stale", false);
      draw(isCompiling);
    },
    stale: () => element.classList.toggle("stale", true),
  };
}

function summary({ seconds, kernels }) {
  const most = (key) => {
    const known = kernels
      .map((kernel) => kernel[key])
      .filter((value) => value !== null && value !== undefined);
    return known.length ? Math.max(...known) : undefined;
  };
  return { seconds, registers: most("registers"), spills: most("spills"), shared: most("shared") };
}

function row({ label, show }, value, before, isCompiling) {
  if (value === undefined) {
    const waiting = isCompiling ? "compiling…" : "–";
    return h("div", { class: "fact" }, h("dt", {}, label), h("dd", { class: "unknown" }, waiting));
  }
  const isChanged = before !== undefined && before !== value;
  return h(
    "div",
    { class: "fact" },
    h("dt", {}, label),
    h(
      "dd",
      {},
      isChanged ? h("span", { class: "before" }, `${show(before)} → `) : null,
      show(value),
      isChanged && before !== 0 ? share(value, before) : null,
    ),
  );
}

/** `(+18%)`; less is better for all of them. */
function share(value, before) {
  const part = (value - before) / before;
  const text = `${part > 0 ? "+" : "−"}${digits(Math.abs(100 * part))}%`;
  return h("span", { class: `fact-change ${part < 0 ? "good" : "bad"}` }, ` (${text})`);
}
