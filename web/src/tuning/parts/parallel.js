// Parallel coordinates: a line for each trial, over all choices and the time. Dragging along an axis
// keeps the trials that pass there.

import { h, replace } from "../../common/dom.js";
import { createChart } from "../charts.js";
import { ms } from "../model.js";
import { empty, section } from "../section.js";

const MOST = 1200;
/* Lines that are drawn: the fastest, and some of the others. More could not be told apart. */

const SPREAD = 0.18;
/* How far lines of one option are apart, at most, on either side. */

/** @param {import("../view.js").Context} context */
export function parallel(context) {
  const note = h("p", { class: "note" });
  const chart = createChart({
    height: 340,
    option: (look) => option(context.model, look),
    label: () => "Parallel coordinates: a line for each trial over all choices and the time.",
    onready: (drawn) => drawn.on("axisareaselected", () => brushed(context, drawn)),
  });
  const body = h("div", {});
  const { element } = section({ id: "coordinates", title: "All choices", wide: true }, body, note);
  function draw() {
    const { model } = context;
    const drawn = model.ranked().length;
    if (drawn < 2) {
      replace(body, empty("Fewer than two trials have a time."));
      note.textContent = "";
      return;
    }
    replace(
      body,
      h(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "Parallel coordinates" },
        chart.element,
      ),
    );
    chart.element.style.minWidth = `${90 * (axesOf(model).length + 1)}px`;
    const some =
      drawn > MOST ? `${MOST.toLocaleString("en")} of ${drawn.toLocaleString("en")}` : drawn;
    note.textContent = `${some} trials with a time. Drag along an axis to filter the trials; press the axis to let go.`;
    chart.draw();
  }
  return { element, draw };
}

/** The fastest, and others at even distances in the ranking. */
function drawnRows(model) {
  const ranked = model.ranked();
  if (ranked.length <= MOST) return ranked.reverse();
  const fast = ranked.slice(0, MOST / 2);
  const rest = ranked.slice(MOST / 2);
  const step = rest.length / (MOST / 2);
  const others = Array.from({ length: MOST / 2 }, (_, at) => rest[Math.floor(at * step)]);
  return [...fast, ...others].reverse();
}

function axesOf(model) {
  return model.choices.filter(({ options }) => options.length > 1);
}

function option(model, look) {
  const axes = axesOf(model);
  const rows = drawnRows(model);
  const values = rows.map((row) => model.ms(row));
  const fastest = Math.min(...values);
  const slowest = Math.max(...values);
  const text = { color: look["text-soft"], fontSize: 12 };
  return {
    parallel: {
      left: 56,
      right: 90,
      top: 46,
      bottom: 22,
      parallelAxisDefault: {
        nameTextStyle: { color: look.text, fontSize: 12 },
        nameGap: 16,
        axisLabel: { ...text, color: look.text, textBorderColor: look.raised, textBorderWidth: 4 },
        axisLine: { lineStyle: { color: look["text-soft"] } },
        axisTick: { show: false },
        areaSelectStyle: { color: look.accent, borderColor: look.accent, opacity: 0.25 },
      },
    },
    parallelAxis: [
      ...axes.map((choice, dim) => ({
        dim,
        name: choice.name,
        type: "value",
        min: -0.5,
        max: choice.options.length - 0.5,
        interval: 0.5,
        // Options are at whole numbers; the ticks between have no label.
        axisLabel: { formatter: (value) => short(String(choice.options[value] ?? "")) },
      })),
      {
        dim: axes.length,
        name: "time",
        type: slowest > 4 * fastest ? "log" : "value",
        logBase: 2,
        min: fastest * 0.98,
        max: slowest * 1.02,
        inverse: true,
        nameLocation: "start",
        axisLabel: {
          ...text,
          showMinLabel: false,
          showMaxLabel: false,
          formatter: (value) => ms(value),
        },
      },
    ],
    visualMap: {
      show: false,
      dimension: axes.length + 1,
      min: 0,
      max: Math.log(slowest / fastest) || 1,
      inRange: { color: [look.fast, look.middle, look.slow] },
    },
    series: [
      {
        type: "parallel",
        lineStyle: { width: 1.2, opacity: rows.length > 400 ? 0.35 : 0.6 },
        inactiveOpacity: 0.04,
        activeOpacity: 0.7,
        realtime: true,
        data: rows.map((row, rank) => [
          // A choice in a branch that is not taken has no value: the line has a gap there.
          ...axes.map(({ name }) => spread(model.option(name, row), rank / rows.length)),
          model.ms(row),
          Math.log(model.ms(row) / fastest),
        ]),
      },
    ],
  };
}

/** Lines of one option fan out by their rank, the fastest on top: else they would be one line. */
function spread(place, rank) {
  return place === null ? "-" : place + 2 * SPREAD * (rank - 0.5);
}

function short(text) {
  return text.length > 14 ? `${text.slice(0, 13)}…` : text;
}

/** Filters the trials by the marked parts of the axes, whether their lines are drawn or not. */
function brushed(context, chart) {
  const { model } = context;
  const axes = axesOf(model);
  const parts = [];
  for (let dim = 0; dim <= axes.length; dim++) {
    const intervals = chart.getModel().getComponent("parallelAxis", dim)?.activeIntervals ?? [];
    if (intervals.length) parts.push({ name: axes[dim]?.name ?? null, intervals });
  }
  if (!parts.length) {
    context.filters.set("brush", null);
    return;
  }
  const value = (name, row, current) =>
    name === null ? current.ms(row) : current.option(name, row);
  context.filters.set("brush", {
    text: `marked on ${parts.map(({ name }) => name ?? "time").join(", ")}`,
    keeps: (row, current) =>
      parts.every(({ name, intervals }) => {
        const at = value(name, row, current);
        const wide = name === null ? 0 : SPREAD;
        return (
          at !== null && intervals.some(([low, high]) => low <= at + wide && at - wide <= high)
        );
      }),
  });
}
