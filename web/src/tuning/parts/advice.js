// What to try next, and what limits the winner.

import { h, replace } from "../../common/dom.js";
import { digits, percent } from "../../common/numbers.js";
import { empty, notExplained, section, worded } from "../section.js";

const PARTS = {
  compute: "arithmetic",
  shared: "shared memory",
  hbm: "device memory",
  l2: "L2",
  latency: "latency of loads",
  fill: "filling the pipeline",
  launch: "launches",
  calls: "library calls",
};

/** @param {import("../view.js").Context} context */
export function advice(context) {
  const body = h("div", {});
  const { element } = section({ id: "advice", title: "What to try next" }, body);
  function draw() {
    const findings = context.model.run.findings;
    if (!findings) {
      replace(body, notExplained(context.model));
      return;
    }
    replace(
      body,
      findings.suggestions.length
        ? h("ul", { class: "advice-list" }, findings.suggestions.map(suggestion))
        : empty(
            "The trials suggest no change. With fewer than 16 that work, nothing is suggested.",
          ),
      findings.changed_nothing.length
        ? [
            h("h3", {}, "Choices that changed nothing"),
            h(
              "ul",
              { class: "advice-list" },
              findings.changed_nothing.map((one) => suggestion(`${one.name}: ${one.text}`)),
            ),
          ]
        : null,
      limits(findings.limits),
    );
  }
  return { element, draw };
}

/** `BM: try larger ones`, with the choice set apart. */
function suggestion(text) {
  const [, name, rest] = text.match(/^([\w.]+): (.*)$/s) ?? [null, null, text];
  return h("li", {}, name ? h("code", {}, name) : null, name ? ": " : null, worded(rest));
}

function limits(found) {
  if (!found) return null;
  return [
    h("h3", {}, "What limits the winner"),
    h(
      "p",
      { class: "verdict" },
      `${found.verdict.charAt(0).toUpperCase()}${found.verdict.slice(1)}.`,
    ),
    h(
      "div",
      { class: "meters" },
      found.tflops !== null && found.peak_tflops
        ? meter(
            "arithmetic",
            found.tflops / found.peak_tflops,
            `${digits(found.tflops)} of ${digits(found.peak_tflops)} TFLOP/s`,
          )
        : null,
      meter(
        "memory",
        found.gigabytes_per_second / found.peak_gigabytes_per_second,
        `${digits(found.gigabytes_per_second)} of ${digits(found.peak_gigabytes_per_second)} GB/s, least traffic`,
      ),
    ),
    found.parts.length
      ? h(
          "p",
          { class: "note" },
          "What the parts of the card need, by the cost model; they overlap:",
        )
      : null,
    h(
      "div",
      { class: "meters" },
      found.parts
        .slice(0, 4)
        .map(([part, share]) =>
          meter(PARTS[part] ?? part, share, `${percent(share)} of the estimate`, "model"),
        ),
    ),
  ];
}

function meter(name, share, text, kind = "") {
  const bar = h("span", { class: `bar ${kind}` });
  bar.style.width = `${Math.min(100, 100 * share)}%`;
  return h(
    "div",
    { class: "meter" },
    h("span", { class: "soft" }, name),
    h("span", { class: "bar-track", "aria-hidden": "true" }, bar),
    h("span", { class: "meter-text" }, kind ? text : `${percent(share)}: ${text}`),
  );
}
