// The runs of a file: which one the page shows, and several of them side by side.

import { h, replace } from "../../common/dom.js";
import { createChart } from "../charts.js";
import { ms, RunModel, runName, times } from "../model.js";
import { choose, pick, section } from "../section.js";
import { line, steps } from "./convergence.js";

/** The choice of the run; nothing where the file has one. @param {import("../view.js").Context} context */
export function runPicker(context) {
  const { runs } = context.data;
  if (runs.length < 2) return null;
  const options = runs.map((run, place) => [place, `${run.key} ${runName(run)}`]).reverse();
  return pick("Run", options, context.model.place, (place) => context.show(Number(place)));
}

/** @param {import("../view.js").Context} context */
export function runComparison(context) {
  const chosen = new Set();
  let against = "trials";
  const body = h("div", {});
  const chart = createChart({
    height: 280,
    option: (look) => option(models(), look, against),
    label: () => "The best time so far of the chosen runs, one line for each.",
  });
  const tools = h("div", { class: "tools" });
  const { element, heading } = section({ id: "runs", title: "Runs", tools, wide: true }, body);

  const models = () =>
    [...chosen]
      .filter((place) => context.data.runs[place]?.trials)
      .map((place) => new RunModel(context.data, place));

  function draw() {
    const { runs } = context.data;
    element.hidden = runs.length < 2;
    if (element.hidden) return;
    heading.textContent = `Runs: ${runs.length}`;
    if (!chosen.size) start();
    const hasClock = models().length > 0 && models().every((model) => model.has("ended"));
    if (!hasClock) against = "trials";
    replace(
      tools,
      hasClock
        ? choose(
            "Against",
            [
              ["trials", "Trials"],
              ["seconds", "Seconds"],
            ],
            against,
            (value) => {
              against = value;
              chart.draw();
            },
          )
        : null,
    );
    replace(body, list(), chart.element, differences(models()));
    chart.draw();
  }

  /** The run that is shown, and the newest over the same payload, else the newest of all. */
  function start() {
    const { runs } = context.data;
    const own = context.model.run;
    const places = runs.map((_, place) => place).reverse();
    const alike = places.filter((place) => subject(runs[place]) === subject(own));
    for (const place of [context.model.place, ...(alike.length > 1 ? alike : places)]) {
      if (runs[place].trials && chosen.size < 3) chosen.add(place);
    }
  }

  function list() {
    const { runs } = context.data;
    return h(
      "div",
      { class: "scroll tall", tabindex: "0", role: "region", "aria-label": "Runs" },
      h(
        "table",
        { class: "wide-table" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            [
              "compare",
              "run",
              "payload",
              "sizes",
              "schedule",
              "device",
              "started",
              "strategy",
              "trials",
              "best",
              "tuned",
            ].map((name, place) =>
              h("th", { scope: "col", class: place > 7 ? "number" : null }, name),
            ),
          ),
        ),
        h("tbody", {}, runs.map((run, place) => runRow(run, place)).reverse()),
      ),
    );
  }

  function runRow(run, place) {
    const box = h("input", {
      type: "checkbox",
      "aria-label": `Compare run ${run.key}`,
      checked: chosen.has(place),
      disabled: !run.trials,
      onchange: () => {
        if (box.checked) chosen.add(place);
        else chosen.delete(place);
        draw();
      },
    });
    return h(
      "tr",
      { class: place === context.model.place ? "shown" : null },
      h("td", {}, box),
      h(
        "td",
        {},
        run.trials
          ? h("button", { class: "link", onclick: () => context.show(place) }, run.key)
          : h(
              "span",
              { title: `Its trials are not in the page: name it, as in \`view FILE ${run.key}\`` },
              run.key,
            ),
      ),
      [run.payload, run.sizes, run.schedule, run.device, run.started, run.strategy].map((text) =>
        h("td", {}, text),
      ),
      h(
        "td",
        { class: "number" },
        `${run.count}${run.count - run.worked ? ` (${run.count - run.worked} ✕)` : ""}`,
      ),
      h("td", { class: "number" }, ms(run.best_ms)),
      h(
        "td",
        { class: "number" },
        run.wall_seconds === null ? "–" : `${run.wall_seconds.toFixed(1)} s`,
      ),
    );
  }
  return { element, draw };
}

function option(models, look, against) {
  return {
    grid: { left: 64, right: 18, top: 34, bottom: 42 },
    legend: { top: 0, textStyle: { color: look["text-soft"] }, itemWidth: 14, itemHeight: 8 },
    xAxis: look.axis({
      type: "value",
      min: 0,
      name: against === "seconds" ? "seconds since the start" : "trials",
      nameLocation: "middle",
      nameGap: 26,
    }),
    yAxis: look.axis({
      type: "log",
      logBase: 2,
      min: ({ min }) => 2 ** Math.floor(Math.log2(min)),
      axisLabel: { color: look["text-soft"], formatter: (value) => ms(value) },
    }),
    tooltip: { ...look.tooltip, trigger: "axis", valueFormatter: (value) => ms(value) },
    series: models.map((model, place) => ({
      ...line(look.series[place % look.series.length]),
      name: `${model.run.key} ${model.run.payload}`,
      data: steps(model, against, (value) => value),
    })),
  };
}

/** What times can be compared within. */
function subject(run) {
  return `${run.payload} ${run.sizes} ${run.measured}`;
}

/** The winners of several runs: which options differ. */
function differences(models) {
  const found = models.filter((model) => model.best !== null);
  if (found.length < 2)
    return h("p", { class: "note" }, "Tick two runs or more to see which options differ.");
  const names = [...new Set(found.flatMap((model) => model.choices.map(({ name }) => name)))];
  const isComparable = new Set(found.map((model) => subject(model.run))).size === 1;
  const fastest = Math.min(...found.map((model) => model.bestMs));
  const value = (model, name) =>
    model.byName.has(name) ? model.value(name, model.best) : undefined;
  return h(
    "div",
    {
      class: "scroll",
      tabindex: "0",
      role: "region",
      "aria-label": "Best points of the chosen runs",
    },
    h(
      "table",
      { class: "wide-table" },
      h("caption", {}, "Best points"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "of the winner"),
          found.map((model) =>
            h(
              "th",
              { scope: "col" },
              `${model.run.key} ${model.run.payload} on ${model.run.device}`,
            ),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "row" }, "best time"),
          found.map((model) =>
            h(
              "td",
              { class: "mono" },
              isComparable
                ? `${ms(model.bestMs)}  ${times(model.bestMs / fastest)}`
                : ms(model.bestMs),
            ),
          ),
        ),
        names.map((name) => {
          const values = found.map((model) => value(model, name));
          const differs = new Set(values.map(String)).size > 1;
          return h(
            "tr",
            { class: differs ? "differs" : "same" },
            h("th", { scope: "row", class: "mono" }, name),
            values.map((one) => h("td", { class: "mono" }, one ?? "–")),
          );
        }),
      ),
    ),
  );
}
