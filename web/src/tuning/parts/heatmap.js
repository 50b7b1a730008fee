// A heat map over any two choices. It is a table of buttons: keyboards and screen readers can use it.

import { h, replace } from "../../common/dom.js";
import { ms } from "../model.js";
import { choose, empty, pick, section } from "../section.js";

/** @param {import("../view.js").Context} context */
export function heatmap(context) {
  let first = null;
  let second = null;
  let statistic = "best";
  const body = h("div", { class: "heatmap" });
  const tools = h("div", { class: "tools" });
  const { element } = section({ id: "map", title: "Two choices together", tools }, body);

  function draw() {
    const { model } = context;
    const names = varied(model);
    if (names.length < 2) {
      replace(tools);
      replace(body, empty("Fewer than two choices were tried with two options."));
      return;
    }
    if (!names.includes(first) || !names.includes(second)) [first, second] = leading(model, names);
    const listed = names.map((name) => [name, name]);
    replace(
      tools,
      pick("Rows", listed, first, (name) => {
        if (name === second) second = first;
        first = name;
        draw();
      }),
      pick("Columns", listed, second, (name) => {
        if (name === first) first = second;
        second = name;
        draw();
      }),
      choose(
        "Time in a cell",
        [
          ["best", "Best"],
          ["median", "Median"],
        ],
        statistic,
        (value) => {
          statistic = value;
          drawCells();
        },
      ),
    );
    drawCells();
  }

  function drawCells() {
    replace(body, table(context, first, second, statistic));
  }
  return { element, draw };
}

/** The choices that were tried with two options or more. */
function varied(model) {
  if (!model.count) return [];
  return model.choices
    .map(({ name }) => name)
    .filter((name) => {
      const found = new Set(model.columns.points[name]);
      found.delete(null);
      return found.size > 1;
    });
}

/** The pair that decides most together, else the two choices that do alone. */
function leading(model, names) {
  const effects = model.run.findings?.effects;
  const pair = effects?.pairs.find(
    (one) => names.includes(one.first) && names.includes(one.second),
  );
  if (pair) return [pair.first, pair.second];
  const ranked = effects?.choices.map((one) => one.name).filter((name) => names.includes(name));
  return ranked?.length > 1 ? ranked.slice(0, 2) : names.slice(0, 2);
}

/** The cells: rows of trials by the options of two choices. */
function cells(model, first, second) {
  const found = new Map();
  for (let row = 0; row < model.count; row++) {
    const a = model.option(first, row);
    const b = model.option(second, row);
    if (a === null || b === null) continue;
    const key = `${a} ${b}`;
    let cell = found.get(key);
    if (!cell) {
      cell = { a, b, times: [], failed: 0 };
      found.set(key, cell);
    }
    const value = model.ms(row);
    if (value === null) cell.failed += 1;
    else cell.times.push(value);
  }
  return found;
}

function table(context, first, second, statistic) {
  const { model } = context;
  const found = cells(model, first, second);
  const values = new Map();
  for (const [key, cell] of found) {
    if (cell.times.length) values.set(key, statisticOf(cell.times, statistic));
  }
  const fastest = Math.min(...values.values());
  const slowest = Math.max(...values.values());
  const used = (name, side) => {
    const places = new Set([...found.values()].map((cell) => cell[side]));
    return model.byName
      .get(name)
      .options.map((value, place) => ({ value, place }))
      .filter(({ place }) => places.has(place));
  };
  const columns = used(second, "b");
  const rows = used(first, "a");
  return [
    h(
      "div",
      { class: "scroll" },
      h(
        "table",
        {},
        h("caption", { class: "visually-hidden" }, `${statistic} time by ${first} and ${second}`),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { class: "corner", scope: "col" }, `${first} ↓  ${second} →`),
            columns.map(({ value }) => h("th", { scope: "col" }, value)),
          ),
        ),
        h(
          "tbody",
          {},
          rows.map((one) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, one.value),
              columns.map((other) => {
                const key = `${one.place} ${other.place}`;
                const shade = shadeOf(values.get(key), fastest, slowest);
                return h(
                  "td",
                  {},
                  cellButton(context, found.get(key), values.get(key), shade, first, second),
                );
              }),
            ),
          ),
        ),
      ),
    ),
    h(
      "p",
      { class: "note" },
      "A cell has the ",
      statistic === "best" ? "best" : "median",
      " time of its trials, how many there are, and how many failed. Press one to see its trials.",
    ),
  ];
}

/** 1 for the fastest cell, 0 for the slowest, by ratio. */
function shadeOf(value, fastest, slowest) {
  if (value === undefined || slowest <= fastest) return value === undefined ? null : 1;
  return 1 - Math.log(value / fastest) / Math.log(slowest / fastest);
}

function cellButton(context, cell, value, shade, first, second) {
  if (!cell) return h("span", { class: "untried", title: "never tried" }, "–");
  const { model } = context;
  const a = model.byName.get(first).options[cell.a];
  const b = model.byName.get(second).options[cell.b];
  const count = cell.times.length + cell.failed;
  const failed = cell.failed ? `, ${cell.failed} failed` : "";
  const name = `${first}=${a} ${second}=${b}`;
  const button = h(
    "button",
    {
      class: shade === null ? "cell none" : "cell",
      title: name,
      onclick: () =>
        context.filters.set("cell", {
          text: name,
          keeps: (row, current) =>
            current.option(first, row) === cell.a && current.option(second, row) === cell.b,
        }),
    },
    h("span", { class: "value" }, value === undefined ? "failed" : ms(value)),
    h("span", { class: "small" }, `${count}${cell.failed ? ` · ${cell.failed} ✕` : ""}`),
    h("span", { class: "visually-hidden" }, ` trials${failed}, ${name}`),
  );
  if (shade !== null) button.style.setProperty("--shade", `${Math.round(100 * shade)}%`);
  return button;
}

function statisticOf(values, statistic) {
  if (statistic === "best") return Math.min(...values);
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
