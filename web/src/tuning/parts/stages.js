// Where the seconds of the run went.

import { h, replace } from "../../common/dom.js";
import { percent } from "../../common/numbers.js";
import { empty, section } from "../section.js";

/** @param {import("../view.js").Context} context */
export function stages(context) {
  const body = h("div", {});
  const { element, heading } = section({ id: "stages", title: "Where the time went" }, body);
  function draw() {
    const { run } = context.model;
    const found = run.findings?.stages ?? [];
    const whole = run.wall_seconds ? `: ${run.wall_seconds.toFixed(1)} s in all` : "";
    heading.textContent = `Where the time went${whole}`;
    replace(body, found.length ? meters(found) : empty("The file does not say."));
  }
  return { element, draw };
}

function meters(found) {
  const longest = Math.max(...found.map((one) => one.seconds));
  return [
    h(
      "div",
      { class: "meters" },
      found.map((one) => {
        const bar = h("span", { class: "bar" });
        bar.style.width = `${(100 * one.seconds) / longest}%`;
        const lost = one.failed_seconds
          ? `, ${percent(one.failed_seconds / one.seconds)} for failures`
          : "";
        return h(
          "div",
          { class: "meter" },
          h("span", { class: "soft" }, one.stage),
          h("span", { class: "bar-track", "aria-hidden": "true" }, bar),
          h("span", { class: "meter-text" }, `${one.seconds.toFixed(1)} s${lost}`),
        );
      }),
    ),
    h(
      "p",
      { class: "note" },
      "Stages run in parallel processes, so they may add up to more than the run.",
    ),
  ];
}
