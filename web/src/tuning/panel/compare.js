// Two trials side by side: what differs in point, compiler's report, schedule and source.

import { h, replace } from "../../common/dom.js";
import { empty } from "../section.js";
import { choices, facts, sentence } from "./comparison.js";
import { diffTable } from "./diff.js";
import { tabs } from "./drawer.js";
import { stepsOf, takenLines } from "./texts.js";

/** Opens the panel of two trials. @param {import("../view.js").Context} context */
export function openComparison(context, a, b) {
  const { model } = context;
  const names = [model.name(a), model.name(b)];
  context.drawer.show({
    name: `${names[0].charAt(0).toUpperCase()}${names[0].slice(1)} and ${names[1]}`,
    wide: true,
    buttons: [
      h("button", { class: "button small", onclick: () => openComparison(context, b, a) }, "Swap"),
      h(
        "button",
        { class: "button small", onclick: () => context.open(a) },
        `Open ${model.columns.number[a]}`,
      ),
      h(
        "button",
        { class: "button small", onclick: () => context.open(b) },
        `Open ${model.columns.number[b]}`,
      ),
    ],
    content: [
      h("p", { class: "headline sentence" }, sentence(model, a, b)),
      tabs(
        [
          ["Numbers", () => numbers(model, a, b, names)],
          ["Schedule", () => schedules(model, a, b, names)],
          ["Source", () => sources(context, a, b, names)],
        ],
        "What differs",
      ),
    ],
  });
}

function numbers(model, a, b, names) {
  const rows = [
    ...choices(model, a, b).map((one) => ({ ...one, isChoice: true })),
    ...facts(model, a, b),
  ];
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      { class: "wide-table" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ["compared", ...names].map((name) => h("th", { scope: "col" }, name)),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((one) =>
          h(
            "tr",
            { class: one.differs ? "differs" : "same" },
            h("th", { scope: "row", class: one.isChoice ? "mono" : null }, one.name),
            [one.first, one.second].map((value) => h("td", { class: "mono" }, value ?? "–")),
          ),
        ),
      ),
    ),
  );
}

function schedules(model, a, b, names) {
  const closed = [a, b].map((row) => model.detail(row)?.closed);
  // The texts must be of one kind: both closed by Python, or both with their branches left out.
  const both = closed.every(Boolean) ? closed : [a, b].map((row) => takenLines(model, row));
  if (!both.every(Boolean)) return empty("The file does not have the schedule.");
  return diffTable(both[0], both[1], names);
}

function sources(context, a, b, names) {
  const { model } = context;
  const stored = [model.detail(a), model.detail(b)];
  if (stored.every(Boolean)) return sourceDiff(stored, [model.data.text, model.data.text], names);
  if (!context.loadDetail) {
    const lacking = [a, b].filter((_, place) => !stored[place]).map((row) => model.name(row));
    return empty(
      `The page does not have the source of ${lacking.join(" and ")}: \`--trials N\` puts more into it.`,
    );
  }
  const body = h("div", {}, h("p", { class: "note", role: "status" }, "Building the programs …"));
  Promise.all([a, b].map((row) => context.loadDetail(model.run.key, model.columns.number[row])))
    .then((found) =>
      replace(
        body,
        sourceDiff(
          found,
          found.map((one) => one.text),
          names,
        ),
      ),
    )
    .catch((error) => replace(body, empty(`They cannot be built: ${error.message}`)));
  return body;
}

function sourceDiff(details, texts, names) {
  const found = details.map((detail, place) => {
    const steps = detail.program ? stepsOf(detail.program, texts[place]) : [];
    return steps.findLast((step) => step.origin === "source")?.lines ?? null;
  });
  if (!found.every(Boolean)) return empty("No source was generated.");
  return diffTable(found[0], found[1], names);
}
