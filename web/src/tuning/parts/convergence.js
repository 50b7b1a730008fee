// Convergence: every trial and the best so far, and how much of the final speed was reached when.

import { h, replace } from "../../common/dom.js";
import { percent } from "../../common/numbers.js";
import { createChart } from "../charts.js";
import { ms } from "../model.js";
import { choose, section } from "../section.js";

/** @param {import("../view.js").Context} context */
export function convergence(context) {
  let against = "trials";
  let shows = "time";
  const chart = createChart({
    height: 320,
    option: (look) => option(context.model, look, against, shows),
    label: () => summary(context.model),
    onready: (drawn) =>
      drawn.on("click", (event) => {
        if (event.data?.row !== undefined) context.open(event.data.row);
      }),
  });
  const note = h("p", { class: "note" });
  const tools = h("div", { class: "tools" });
  const { element } = section(
    { id: "convergence", title: "Convergence", tools },
    chart.element,
    note,
  );
  function draw() {
    const { model } = context;
    const hasClock = model.has("ended");
    if (!hasClock) against = "trials";
    replace(
      tools,
      choose(
        "What is drawn",
        [
          ["time", "Time of each trial"],
          ["share", "Share of the final speed"],
        ],
        shows,
        (value) => {
          shows = value;
          chart.draw();
        },
      ),
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
    note.textContent = [summary(model), clockNote(model.run)].filter(Boolean).join(" ");
    chart.draw();
  }
  return { element, draw };
}

function clockNote(run) {
  return run.clock ? `Clock: ${run.clock}.` : "The file does not say when trials ended.";
}

/** The first trials that were near the best, in words. */
function summary(model) {
  const near = model.run.findings?.within;
  if (!near?.length) {
    if (model.bestMs === null) return "No trial has a time.";
    return `Best of ${model.count} trials: ${ms(model.bestMs)}.`;
  }
  const parts = near
    .filter(({ behind }) => behind === 0.1 || behind === 0.01 || behind === 0)
    .map(({ behind, trial, seconds }) => {
      const when = seconds === null ? "" : ` (${seconds.toFixed(1)} s)`;
      return `${behind === 0 ? "the best" : `within ${percent(behind)}`} after ${trial} ${trial === 1 ? "trial" : "trials"}${when}`;
    });
  return `Reached ${parts.join(", ")}.`;
}

/** The improvements of a run: `{row, x, ms}` in order. */
export function improvements(model, against) {
  const found = [];
  let best = Number.POSITIVE_INFINITY;
  for (let row = 0; row < model.count; row++) {
    const value = model.ms(row);
    if (value !== null && value < best) {
      best = value;
      found.push({ row, x: position(model, row, against), ms: value });
    }
  }
  return found;
}

function position(model, row, against) {
  return against === "seconds" ? model.number("ended", row) : row + 1;
}

/** Points of a line of steps, up to the end of the run. */
export function steps(model, against, value) {
  const found = improvements(model, against).map((step) => [step.x, value(step.ms)]);
  if (found.length) {
    found.push([position(model, model.count - 1, against), found.at(-1)[1]]);
  }
  return found;
}

function option(model, look, against, shows) {
  const grid = { left: 64, right: 18, top: 30, bottom: 42 };
  const xAxis = look.axis({
    type: "value",
    name: against === "seconds" ? "seconds since the start" : "trials",
    nameLocation: "middle",
    nameGap: 26,
    min: 0,
    max: against === "seconds" ? undefined : model.count,
  });
  if (shows === "share") {
    const best = improvements(model, against).at(-1)?.ms ?? 1;
    return {
      grid,
      xAxis,
      yAxis: look.axis({ type: "value", min: 0, max: 100, axisLabel: percentLabel(look) }),
      tooltip: { ...look.tooltip, trigger: "axis", valueFormatter: (v) => `${v.toFixed(1)}%` },
      series: [
        {
          ...line(look.series[0]),
          name: "share of the final speed",
          areaStyle: { opacity: 0.12 },
          data: steps(model, against, (value) => (100 * best) / value),
        },
      ],
    };
  }
  const worked = [];
  const failed = [];
  let slowest = 0;
  let fastest = Number.POSITIVE_INFINITY;
  for (let row = 0; row < model.count; row++) {
    const x = position(model, row, against);
    const y = model.ms(row);
    if (y === null) failed.push({ value: [x, 0], row });
    else {
      worked.push({ value: [x, y], row });
      slowest = Math.max(slowest, y);
      fastest = Math.min(fastest, y);
    }
  }
  // Failed trials have no time: they stand on a line of their own, above all others.
  const top = slowest * (slowest > 4 * fastest ? 1.6 : 1.12) || 1;
  for (const one of failed) one.value[1] = top;
  return {
    grid,
    legend: {
      top: 0,
      right: 0,
      textStyle: { color: look["text-soft"] },
      itemWidth: 14,
      itemHeight: 8,
    },
    xAxis,
    yAxis: look.axis({
      type: slowest > 4 * fastest ? "log" : "value",
      logBase: 2,
      min: slowest > 4 * fastest ? powerBelow(fastest) : 0,
      axisLabel: { color: look["text-soft"], formatter: (value) => ms(value) },
    }),
    tooltip: {
      ...look.tooltip,
      trigger: "item",
      formatter: ({ data }) => (data?.row === undefined ? "" : tip(model, data.row)),
    },
    series: [
      {
        name: "trial",
        type: "scatter",
        symbolSize: model.count > 2000 ? 3 : 6,
        large: model.count > 4000,
        itemStyle: { color: look.series[0], opacity: model.count > 2000 ? 0.4 : 0.65 },
        data: model.count > 4000 ? worked.map((one) => one.value) : worked,
      },
      {
        name: `failed (${failed.length})`,
        type: "scatter",
        symbol: "triangle",
        symbolSize: model.count > 2000 ? 4 : 7,
        large: failed.length > 4000,
        itemStyle: { color: look.bad, opacity: 0.7 },
        data: failed.length > 4000 ? failed.map((one) => one.value) : failed,
      },
      {
        ...line(look.series[1]),
        name: "best so far",
        data: steps(model, against, (value) => value),
      },
    ],
  };
}

function tip(model, row) {
  const value = model.ms(row);
  const first = `${model.name(row)}: ${value === null ? model.outcome(row) : ms(value)}`;
  const settings = model.point(row).map(([name, chosen]) => `${name}=${chosen}`);
  const lines = [first];
  for (let at = 0; at < settings.length; at += 3) lines.push(settings.slice(at, at + 3).join("  "));
  return lines.join("\n");
}

/** A line of steps without marks. */
export function line(colour) {
  return {
    type: "line",
    step: "end",
    symbol: "none",
    lineStyle: { color: colour, width: 2 },
    itemStyle: { color: colour },
  };
}

function percentLabel(look) {
  return { color: look["text-soft"], formatter: (value) => `${value}%` };
}

/** The power of two below, where a logarithmic axis begins. */
function powerBelow(value) {
  return 2 ** Math.floor(Math.log2(value));
}
