// Why trials failed, grouped by the line of the schedule and the reason.

import { h, replace } from "../../common/dom.js";
import { percent } from "../../common/numbers.js";
import { empty, section, worded } from "../section.js";

/** @param {import("../view.js").Context} context */
export function failures(context) {
  const body = h("div", {});
  const { element, heading } = section({ id: "failures", title: "Failures" }, body);
  function draw() {
    const { model } = context;
    const found = model.run.failures ?? [];
    const count = found.reduce((sum, group) => sum + group.count, 0);
    heading.textContent = count
      ? `Failures: ${count} of ${model.count} trials (${percent(count / model.count)})`
      : "Failures";
    replace(
      body,
      found.length
        ? h(
            "ul",
            { class: "failure-list" },
            found.map((group, place) => item(context, group, place)),
          )
        : empty(model.count ? "No trial failed." : "No trials yet."),
    );
  }
  return { element, draw };
}

function item(context, group, place) {
  const at = [group.op, group.place].filter(Boolean).join(", ");
  const rows = new Set(group.rows);
  return h(
    "li",
    {},
    h(
      "div",
      { class: "failure-head" },
      h("span", { class: "badge bad" }, `${group.count} × ${group.outcome}`),
      h("span", { class: "mono" }, at || group.stage),
      h("span", { class: "soft" }, `at ${group.stage}`),
    ),
    group.line
      ? h(
          "pre",
          { class: "failure-line" },
          h("span", { class: "soft" }, `${group.place}  `),
          group.line,
        )
      : null,
    h("p", {}, worded(group.reason)),
    group.remedy
      ? h("p", { class: "remedy" }, h("strong", {}, "Remedy: "), worded(group.remedy))
      : null,
    group.environment
      ? h("p", { class: "note" }, "Caused from outside: the next run tries them again.")
      : null,
    group.options.length
      ? h(
          "p",
          { class: "note" },
          "All of them: ",
          h("code", {}, group.options.map(([name, value]) => `${name}=${value}`).join(" ")),
        )
      : null,
    h(
      "div",
      { class: "actions" },
      h(
        "button",
        {
          class: "button small",
          onclick: () =>
            context.filters.set("failure", {
              text: `failure ${place + 1}`,
              keeps: (row) => rows.has(row),
            }),
        },
        "Show these trials",
      ),
      h(
        "button",
        { class: "button small", onclick: () => context.open(group.rows[0]) },
        "Open the first",
      ),
    ),
  );
}
