// The table of trials. Only the rows in view have elements, so ten thousand stay quick.

import { announce, h, replace } from "../../common/dom.js";
import { bytes, digits } from "../../common/numbers.js";
import { byWords } from "../filters.js";
import { ms, times } from "../model.js";
import { pick, section } from "../section.js";

const HEIGHT = 28;
/* Pixels of a row; the style sheet has the same number. */
const BEYOND = 6;

/** @param {import("../view.js").Context} context */
export function trialTable(context) {
  let ordered = [];
  let rows = [];
  let sort = { column: "time", down: false };
  let active = 0;
  let columns = [];
  const head = h("div", { class: "grid-row grid-head", role: "row" });
  const rowsGroup = h("div", { class: "grid-rows", role: "rowgroup" });
  const grid = h(
    "div",
    {
      class: "trial-grid",
      role: "grid",
      tabindex: "0",
      "aria-label": "Trials",
      "aria-multiselectable": "true",
    },
    h("div", { role: "rowgroup", class: "grid-head-group" }, head),
    rowsGroup,
  );
  const chips = h("div", { class: "chips" });
  const words = h("input", {
    type: "search",
    placeholder: "BM=128 ok <1.1",
    oninput: () => context.filters.set("words", byWords(context.model, words.value)),
  });
  const outcome = h("span", {});
  const tools = h(
    "div",
    { class: "tools" },
    h("label", { class: "pick" }, h("span", {}, "Filter"), words),
    outcome,
  );
  const actions = h("div", { class: "table-actions" });
  const { element, heading } = section(
    { id: "trials", title: "Trials", tools, wide: true },
    chips,
    actions,
    grid,
  );

  function draw() {
    const { model } = context;
    columns = columnsOf(model);
    grid.style.setProperty("--columns", columns.map((column) => column.width).join(" "));
    grid.setAttribute("aria-colcount", String(columns.length));
    replace(outcome, outcomePick(context));
    order();
    filter();
  }

  function filter() {
    const { model } = context;
    rows = context.filters.rows(model, ordered);
    heading.textContent =
      rows.length === model.count
        ? `Trials: ${count(model.count)}`
        : `Trials: ${count(rows.length)} of ${count(model.count)}`;
    if (!context.filters.parts.has("words") && document.activeElement !== words) words.value = "";
    replace(chips, chipList(context));
    active = Math.min(active, Math.max(0, rows.length - 1));
    rowsGroup.style.height = `${Math.max(1, rows.length) * HEIGHT}px`;
    grid.setAttribute("aria-rowcount", String(rows.length + 1));
    drawHead();
    drawRows();
    drawActions();
  }

  /** All rows by the column of the sort; filters then keep this order. */
  function order() {
    const { model } = context;
    const column = columns.find((one) => one.id === sort.column) ?? columns[1];
    const sign = sort.down ? -1 : 1;
    const keys = new Float64Array(model.count);
    // Trials without a value come last, whatever the order.
    for (let row = 0; row < model.count; row++) {
      const key = column.key(row);
      keys[row] = key === null ? Number.POSITIVE_INFINITY : sign * key;
    }
    ordered = Array.from({ length: model.count }, (_, row) => row);
    ordered.sort((a, b) => (keys[a] === keys[b] ? a - b : keys[a] - keys[b]));
  }

  function drawHead() {
    replace(
      head,
      columns.map((column) => {
        const isSorted = column.id === sort.column;
        return h(
          "span",
          {
            role: "columnheader",
            class: column.number ? "number" : null,
            "aria-sort": isSorted ? (sort.down ? "descending" : "ascending") : "none",
          },
          column.key
            ? h(
                "button",
                {
                  class: "sort",
                  onclick: () => sortBy(column.id),
                  title: `Sort by ${column.title}`,
                },
                column.title,
                isSorted ? (sort.down ? " ↓" : " ↑") : "",
              )
            : h("span", { class: "visually-hidden" }, column.title),
        );
      }),
    );
  }

  function sortBy(id) {
    sort = { column: id, down: sort.column === id ? !sort.down : false };
    order();
    rows = context.filters.rows(context.model, ordered);
    drawHead();
    drawRows();
    announce(`sorted by ${id}, ${sort.down ? "descending" : "ascending"}`);
  }

  function drawRows() {
    const { model } = context;
    if (!rows.length) {
      replace(
        rowsGroup,
        h(
          "div",
          { role: "row" },
          h("span", { role: "gridcell", class: "no-rows" }, "No trial passes the filters."),
        ),
      );
      grid.removeAttribute("aria-activedescendant");
      return;
    }
    const first = Math.max(0, Math.floor(grid.scrollTop / HEIGHT) - BEYOND);
    const last = Math.min(
      rows.length,
      Math.ceil((grid.scrollTop + grid.clientHeight) / HEIGHT) + BEYOND,
    );
    const shown = [];
    for (let place = first; place < last; place++) shown.push(rowElement(model, place));
    replace(rowsGroup, shown);
    grid.setAttribute("aria-activedescendant", `trial-${active}`);
  }

  function rowElement(model, place) {
    const row = rows[place];
    const isChosen = context.chosen.has(row);
    const classes = ["grid-row"];
    if (place === active) classes.push("active");
    if (isChosen) classes.push("chosen");
    if (row === model.best) classes.push("winner");
    const element = h(
      "div",
      {
        id: `trial-${place}`,
        class: classes.join(" "),
        role: "row",
        "aria-rowindex": place + 2,
        "aria-selected": String(isChosen),
        onclick: (event) => {
          activate(place);
          if (event.target.closest(".choose-cell")) choose(row);
          else context.open(row);
        },
      },
      columns.map((column) =>
        h(
          "span",
          { role: "gridcell", class: column.classes ?? (column.number ? "number" : null) },
          column.cell(row),
        ),
      ),
    );
    element.style.top = `${place * HEIGHT}px`;
    return element;
  }

  function choose(row) {
    context.choose(row);
    drawRows();
    drawActions();
  }

  function drawActions() {
    const { model, chosen } = context;
    const [a, b] = [...chosen];
    const hint =
      chosen.size === 0
        ? "Mark two trials (space) to compare them; Enter opens one."
        : [...chosen].map((row) => model.name(row)).join(" and ");
    replace(
      actions,
      h("span", { class: "soft" }, hint),
      chosen.size
        ? h(
            "button",
            {
              class: "button small primary",
              onclick: () =>
                chosen.size === 2 ? context.compare(a, b) : context.compare(a, model.best),
              disabled: chosen.size === 1 && (a === model.best || model.best === null),
            },
            chosen.size === 2 ? "Compare" : "Compare with the winner",
          )
        : null,
      chosen.size
        ? h(
            "button",
            {
              class: "button small",
              onclick: () => {
                chosen.clear();
                drawRows();
                drawActions();
              },
            },
            "Let go",
          )
        : null,
    );
  }

  function activate(place) {
    active = Math.max(0, Math.min(rows.length - 1, place));
    const top = active * HEIGHT;
    const space = grid.clientHeight - 2 * HEIGHT;
    if (top < grid.scrollTop) grid.scrollTop = top;
    else if (top > grid.scrollTop + space) grid.scrollTop = top - space;
    drawRows();
  }

  const page = () => Math.max(1, Math.floor(grid.clientHeight / HEIGHT) - 2);
  const keys = {
    ArrowDown: () => activate(active + 1),
    ArrowUp: () => activate(active - 1),
    PageDown: () => activate(active + page()),
    PageUp: () => activate(active - page()),
    Home: () => activate(0),
    End: () => activate(rows.length - 1),
    Enter: () => rows.length && context.open(rows[active]),
    " ": () => rows.length && choose(rows[active]),
  };
  grid.addEventListener("keydown", (event) => {
    if (event.target !== grid || !keys[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  });
  let waits = false;
  grid.addEventListener("scroll", () => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => {
      waits = false;
      drawRows();
    });
  });
  new ResizeObserver(() => drawRows()).observe(grid);
  context.filters.onchange((name) => {
    if (name === "outcome" || name === null) replace(outcome, outcomePick(context));
    filter();
    if (name === "cell" || name === "failure") element.scrollIntoView({ block: "start" });
    announce(heading.textContent);
  });
  return { element, draw };

  function columnsOf(model) {
    const number = (id, title, width, show) => ({
      id,
      title,
      width,
      number: true,
      key: (row) => model.number(id, row),
      cell: (row) => {
        const value = model.number(id, row);
        return value === null ? "" : show(value);
      },
    });
    return [
      {
        id: "chosen",
        title: "marked",
        width: "34px",
        classes: "choose-cell",
        cell: (row) =>
          h("span", { class: "tick", "aria-hidden": "true" }, context.chosen.has(row) ? "☑" : "☐"),
      },
      number("number", "trial", "64px", String),
      {
        id: "outcome",
        title: "outcome",
        width: "104px",
        key: (row) => model.columns.outcome[row],
        cell: (row) =>
          h(
            "span",
            { class: `badge ${row === model.best ? "good" : model.ms(row) === null ? "bad" : ""}` },
            row === model.best ? "winner" : model.outcome(row),
          ),
      },
      {
        id: "time",
        title: "time",
        width: "88px",
        number: true,
        key: (row) => model.ms(row),
        cell: (row) => (model.ms(row) === null ? "" : ms(model.ms(row))),
      },
      {
        id: "behind",
        title: "of best",
        width: "72px",
        number: true,
        key: (row) => model.ms(row),
        cell: (row) => (model.ms(row) === null ? "" : times(model.ms(row) / model.bestMs)),
      },
      model.has("low") && {
        id: "interval",
        title: "20–80%",
        width: "150px",
        number: true,
        key: (row) =>
          model.ms(row) === null
            ? null
            : (model.number("high", row) - model.number("low", row)) / model.ms(row),
        cell: (row) =>
          model.ms(row) === null
            ? ""
            : `${ms(model.number("low", row))} – ${ms(model.number("high", row))}`,
      },
      ...model.choices.map(({ name, options }) => ({
        id: `choice ${name}`,
        title: name,
        width: `${Math.min(150, Math.max(60, 7.6 * Math.max(name.length + 2, ...options.map((one) => String(one).length)) + 16))}px`,
        classes: "mono",
        key: (row) => model.option(name, row),
        cell: (row) => String(model.value(name, row) ?? ""),
      })),
      model.has("spent") && number("spent", "seconds", "76px", digits),
      model.has("registers") && number("registers", "registers", "84px", digits),
      model.has("spills") && number("spills", "spills", "70px", digits),
      model.has("shared") && number("shared", "shared", "84px", bytes),
    ].filter(Boolean);
  }
}

function outcomePick(context) {
  const { model } = context;
  const options = Object.entries(model.run.counts).map(([name, value]) => [
    name,
    `${name} (${count(value)})`,
  ]);
  const chosen = context.filters.parts.get("outcome")?.text ?? "";
  return pick("Outcome", [["", "all"], ...options], chosen, (name) =>
    context.filters.set(
      "outcome",
      name ? { text: name, keeps: (row, current) => current.outcome(row) === name } : null,
    ),
  );
}

/** The filters in force, each with a button that removes it. */
function chipList(context) {
  return [...context.filters.parts].map(([name, { text }]) =>
    h(
      "button",
      {
        class: "chip",
        "aria-label": `Remove the filter ${text}`,
        onclick: () => context.filters.set(name, null),
      },
      text,
      " ✕",
    ),
  );
}

function count(value) {
  return value.toLocaleString("en");
}
