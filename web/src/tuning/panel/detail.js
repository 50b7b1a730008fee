// One trial: its point, schedule, source, steps, the compiler's report, its timings, its error.

import { copyButton } from "../../common/copy.js";
import { h, replace } from "../../common/dom.js";
import { bytes, digits } from "../../common/numbers.js";
import { ms, times } from "../model.js";
import { empty, pick, worded } from "../section.js";
import { tabs } from "./drawer.js";
import { scheduleLines, stepsOf } from "./texts.js";

/** Opens the panel of a trial. @param {import("../view.js").Context} context */
export function openTrial(context, row) {
  const { model } = context;
  const canCompare = model.best !== null && row !== model.best;
  const name = model.name(row);
  context.drawer.show({
    name: name.charAt(0).toUpperCase() + name.slice(1),
    buttons: [
      canCompare
        ? h(
            "button",
            { class: "button small", onclick: () => context.compare(row, model.best) },
            "Compare with the winner",
          )
        : null,
      h(
        "button",
        {
          class: "button small",
          onclick: () => context.choose(row, true),
          "aria-pressed": String(context.chosen.has(row)),
        },
        "Mark",
      ),
    ],
    content: [
      headline(model, row),
      tabs(
        [
          ["Point", () => pointPart(model, row)],
          ["Schedule", () => schedulePart(context, row)],
          ["Source", () => programPart(context, row, sourcePart)],
          ["IR", () => programPart(context, row, stepsPart)],
          ["Compiler", () => reportPart(context, row)],
          ["Timings", () => programPart(context, row, timingPart, true)],
        ],
        "Parts of the trial",
      ),
    ],
  });
}

function headline(model, row) {
  const value = model.ms(row);
  if (value === null) {
    return h(
      "p",
      { class: "headline" },
      h("span", { class: "badge bad" }, model.outcome(row)),
      " no time",
    );
  }
  const behind =
    row === model.best ? "the winner" : `${times(value / model.bestMs)} the winner's time`;
  return h(
    "p",
    { class: "headline" },
    h("strong", {}, ms(value)),
    ` ${model.run.measured ? "measured" : "by the cost model"}, ${behind}`,
  );
}

function pointPart(model, row) {
  const error = model.error(row);
  const command = model.command(row);
  const origin = {
    database: "answered by the results file",
    duplicate: "the same program as another trial",
  };
  const found = [
    ["number", model.columns.number[row]],
    ["outcome", model.outcome(row)],
    ["origin", origin[model.origin(row)] ?? null],
    ["final round", model.number("final", row) === null ? null : ms(model.number("final", row))],
    ["estimate", model.number("estimate", row) === null ? null : ms(model.number("estimate", row))],
    [
      "ended after",
      model.number("ended", row) === null ? null : `${digits(model.number("ended", row))} s`,
    ],
    [
      "seconds spent",
      model.number("spent", row) === null ? null : `${digits(model.number("spent", row))} s`,
    ],
  ].filter(([, value]) => value !== null);
  return [
    error
      ? [
          h("h3", {}, "Error"),
          h("pre", { class: "error-text", tabindex: "0" }, error),
          failureOf(model, row),
        ]
      : null,
    h("h3", {}, "Choices"),
    definitions(model.point(row), "mono"),
    h("h3", {}, "Trial"),
    definitions(found),
    h("h3", {}, "Open it"),
    command
      ? [
          h("pre", { class: "command", tabindex: "0" }, command),
          copyButton(() => command, "Copy the command"),
        ]
      : h(
          "p",
          { class: "note" },
          "This run tuned a part of a program, which has no file of its own.",
        ),
  ];
}

function failureOf(model, row) {
  const group = model.run.failures.find((one) => one.rows.includes(row));
  if (!group) return null;
  return [
    group.line ? h("pre", { class: "failure-line" }, `${group.place}  ${group.line}`) : null,
    group.remedy
      ? h("p", { class: "remedy" }, h("strong", {}, "Remedy: "), worded(group.remedy))
      : null,
  ];
}

function definitions(entries, kind = "") {
  return h(
    "dl",
    { class: "facts" },
    entries.map(([name, value]) => [
      h("dt", { class: kind }, name),
      h("dd", { class: kind }, value),
    ]),
  );
}

function schedulePart(context, row) {
  const { model } = context;
  const lines = scheduleLines(model, row);
  if (!lines) return empty("The file does not have the schedule.");
  const closed = model.detail(row)?.closed;
  const body = h("div", {});
  const open = () =>
    replace(
      body,
      h(
        "pre",
        { class: "code", tabindex: "0" },
        lines.map(({ text, isDim, chosen }, place) =>
          h(
            "span",
            { class: `code-line${isDim ? " dim" : ""}${chosen.length ? " chosen" : ""}` },
            h("span", { class: "line-number" }, place + 1),
            text || " ",
            chosen.map(([name, value]) => h("span", { class: "choice" }, `${name} = ${value}`)),
          ),
        ),
      ),
      h("p", { class: "note" }, "Dim lines are in branches that this trial does not take."),
    );
  const written = () => replace(body, codeBlock(closed));
  open();
  return [
    closed
      ? h(
          "div",
          { class: "actions" },
          h("button", { class: "button small", onclick: open }, "With all branches"),
          h("button", { class: "button small", onclick: written }, "With the choices closed"),
          copyButton(() => closed.join("\n")),
        )
      : null,
    body,
  ];
}

/** Shows what needs the trial in full: from the page, from a server, or says how to get it. */
function programPart(context, row, part, isOptional = false) {
  const { model } = context;
  const stored = model.detail(row);
  if (stored) return part(stored, model.data.text, context, row);
  if (context.loadDetail) {
    const body = h("div", {}, h("p", { class: "note", role: "status" }, "Building the program …"));
    context
      .loadDetail(model.run.key, model.columns.number[row])
      .then((detail) => replace(body, part(detail, detail.text, context, row)))
      .catch((error) => replace(body, empty(`It cannot be built: ${error.message}`)));
    return body;
  }
  if (isOptional) return empty("Samples are in the page for the trials that it has in full.");
  return missing(model, row);
}

function missing(model, row) {
  const command = model.command(row);
  const held = Object.keys(model.run.details ?? {})
    .map((place) => model.columns.number[place])
    .join(", ");
  return [
    h(
      "p",
      { class: "note" },
      worded(
        `The page has the IR and the source of ${held ? `trials ${held}` : "no trial"}. \`--trials N\` puts more into it.`,
      ),
    ),
    command
      ? [
          h("p", { class: "note" }, "This trial alone:"),
          h("pre", { class: "command", tabindex: "0" }, command),
          copyButton(() => command, "Copy the command"),
        ]
      : null,
  ];
}

function sourcePart(detail, text) {
  if (!detail.program) return empty("The file has no payload and schedule to build it from.");
  const source = stepsOf(detail.program, text).findLast((step) => step.origin === "source");
  if (!source) return empty(detail.program.failure ?? "No source was generated.");
  return [
    h(
      "div",
      { class: "actions" },
      copyButton(() => source.lines.join("\n")),
    ),
    codeBlock(source.lines),
  ];
}

function stepsPart(detail, text) {
  if (!detail.program) return empty("The file has no payload and schedule to build it from.");
  const steps = stepsOf(detail.program, text);
  if (!steps.length) return empty(detail.program.failure ?? "There are no steps.");
  const body = h("div", {});
  const names = steps.map((step, place) => [place, `${place}. ${step.title}`]);
  const show = (place) => replace(body, codeBlock(steps[place].lines));
  const last = Math.max(
    0,
    steps.findLastIndex((step) => step.origin === "schedule"),
  );
  show(last);
  return [
    h(
      "div",
      { class: "actions" },
      pick("After step", names, last, (place) => show(Number(place))),
    ),
    detail.program.failure ? h("p", { class: "error-text" }, detail.program.failure) : null,
    body,
  ];
}

function codeBlock(lines) {
  return h(
    "pre",
    { class: "code", tabindex: "0" },
    lines.map((line, place) =>
      h(
        "span",
        { class: "code-line" },
        h("span", { class: "line-number" }, place + 1),
        line || " ",
      ),
    ),
  );
}

function reportPart(context, row) {
  const { model } = context;
  const whole = [
    ["kernels", "kernels", digits],
    ["calls", "library calls", digits],
    ["traffic", "bytes to and from memory, by the cost model", bytes],
    ["registers", "registers a thread", digits],
    ["spills", "bytes spilled a thread", digits],
    ["shared", "shared memory of a block", bytes],
    ["wgmma", "wgmma instructions", digits],
    ["tma", "TMA loads", digits],
    ["code", "machine code", bytes],
  ]
    .filter(([column]) => model.number(column, row) !== null && model.has(column))
    .map(([column, name, show]) => [name, show(model.number(column, row))]);
  const stats = model.detail(row)?.stats ?? [];
  if (!whole.length) return empty("The program was not compiled.");
  return [
    definitions(whole),
    stats.length > 1
      ? h(
          "div",
          { class: "scroll" },
          h(
            "table",
            {},
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                ["kernel", "registers", "spills", "shared", "warps", "wgmma", "TMA"].map(
                  (name, place) => h("th", { scope: "col", class: place ? "number" : null }, name),
                ),
              ),
            ),
            h(
              "tbody",
              {},
              stats.map((one) =>
                h(
                  "tr",
                  {},
                  h("td", { class: "mono" }, one.kernel),
                  [
                    one.registers,
                    one.spill_bytes,
                    bytes(one.shared_bytes),
                    one.num_warps,
                    one.wgmma,
                    one.tma_loads,
                  ].map((value) => h("td", { class: "number" }, value)),
                ),
              ),
            ),
          ),
        )
      : null,
    h(
      "p",
      { class: "note" },
      "Registers and shared memory are those of the kernel that needs most; the others are sums.",
    ),
  ];
}

function timingPart(detail) {
  const seconds = Object.entries(detail.seconds).map(([stage, value]) => [
    stage,
    `${digits(value)} s`,
  ]);
  return [
    detail.samples.length
      ? detail.samples.map((one) => [
          h("h3", {}, `${one.kind === "final" ? "Final round" : "Trial"}: ${one.count} launches`),
          strip(one.ms),
        ])
      : h("p", { class: "note" }, "The file has no samples of this trial."),
    detail.final_interval
      ? h(
          "p",
          { class: "note" },
          `Final round, 95% interval of the median: ${ms(detail.final_interval[0])} to ${ms(detail.final_interval[1])}.`,
        )
      : null,
    seconds.length ? [h("h3", {}, "Seconds by stage"), definitions(seconds)] : null,
  ];
}

/** Sorted samples: least, quartiles and greatest. */
function strip(values) {
  const at = (share) => values[Math.round(share * (values.length - 1))];
  return definitions([
    ["least", ms(values[0])],
    ["20%", ms(at(0.2))],
    ["median", ms(at(0.5))],
    ["80%", ms(at(0.8))],
    ["greatest", ms(values.at(-1))],
  ]);
}
