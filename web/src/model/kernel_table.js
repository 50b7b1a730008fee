// The table of kernels: sorted by any column, equal ones together, filtered by words.

import { announce, h, replace } from "../common/dom.js";
import { bytes, flops } from "../common/numbers.js";

/**
 * @param {object} facts
 * @param {(index: number) => void} onKernel
 */
export function kernelTable(facts, onKernel) {
  const { kernels } = facts.data;
  const columns = columnsOf(facts);
  let order = { column: columns[0], isDown: false };
  let isGrouped = facts.data.totals.sorts < kernels.length;
  let selected = [];
  /** @type {Map<number, HTMLElement>} rows by the number of their first kernel */
  const shownRows = new Map();

  const body = h("tbody", {});
  const heads = columns.map((column) =>
    h(
      "th",
      { scope: "col", class: column.number ? "number" : "", "aria-sort": "none" },
      h("button", { class: "sort", onclick: () => sortBy(column) }, column.name),
    ),
  );
  const filter = h("input", {
    type: "search",
    placeholder: "Filter: op, line, bound …",
    "aria-label": "Filter the kernels",
    oninput: () => update(true),
  });
  const group = h(
    "button",
    {
      class: "button small",
      onclick: () => {
        isGrouped = !isGrouped;
        update();
      },
    },
    "Equal kernels together",
  );
  const told = h("span", { class: "soft" });

  const sortBy = (column) => {
    const isDown =
      order.column === column ? !order.isDown : Boolean(column.number && column.key !== "order");
    order = { column, isDown };
    update();
  };
  const update = (isTyped = false) => {
    heads.forEach((head, index) => {
      const isSorted = columns[index] === order.column;
      head.setAttribute(
        "aria-sort",
        isSorted ? (order.isDown ? "descending" : "ascending") : "none",
      );
    });
    group.setAttribute("aria-pressed", String(isGrouped));
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = rowsOf(facts, isGrouped).filter(({ text }) =>
      words.every((w) => text.includes(w)),
    );
    const sign = order.isDown ? -1 : 1;
    rows.sort((a, b) => sign * compare(order.column.value(a), order.column.value(b)));
    const shown = rows.reduce((sum, row) => sum + row.members.length, 0);
    told.textContent = words.length ? `${shown} of ${kernels.length}` : "";
    if (isTyped) announce(`${shown} kernels`);
    shownRows.clear();
    replace(
      body,
      rows.map((row) => rowElement(row, columns, onKernel, shownRows)),
      rows.length === 0 &&
        h(
          "tr",
          {},
          h("td", { colspan: columns.length, class: "empty" }, "No kernel has these words."),
        ),
    );
    mark();
  };
  const mark = () => {
    const wanted = new Set(selected);
    for (const { element, members } of shownRows.values()) {
      const isIn = members.some((index) => wanted.has(index));
      element.classList.toggle("selected", isIn);
      if (isIn) element.setAttribute("aria-current", "true");
      else element.removeAttribute("aria-current");
    }
  };
  const element = h(
    "section",
    { class: "kernels-part", "aria-labelledby": "kernels-title" },
    h(
      "div",
      { class: "part-head" },
      h("h2", { id: "kernels-title" }, "Kernels"),
      facts.data.totals.sorts < kernels.length && group,
      told,
      filter,
    ),
    kernels.length === 0
      ? h("p", { class: "empty" }, "No kernels: everything stayed in torch. The reasons are below.")
      : h(
          "div",
          { class: "scroll", role: "region", tabindex: "0", "aria-label": "Table of kernels" },
          h("table", { class: "kernel-table" }, h("thead", {}, h("tr", {}, heads)), body),
        ),
  );
  update();
  return {
    element,
    focusFilter: () => filter.focus(),
    select(indices) {
      selected = indices;
      mark();
    },
  };
}

function rowElement(row, columns, onKernel, shownRows) {
  const element = h(
    "tr",
    { onclick: () => onKernel(row.members[0]) },
    columns.map((column) => column.cell(row)),
  );
  shownRows.set(row.members[0], { element, members: row.members });
  return element;
}

/** A row for each kernel, or for each sort of kernel. */
function rowsOf(facts, isGrouped) {
  const rows = new Map();
  facts.data.kernels.forEach((kernel, index) => {
    const key = isGrouped ? kernel.sort : index;
    const known = rows.get(key);
    if (known) {
      known.members.push(index);
      known.seconds = sum(known.seconds, kernel.seconds);
      known.flops += kernel.flops;
      known.bytes += kernel.bytes;
    } else {
      const { seconds, flops, bytes } = kernel;
      rows.set(key, { kernel, members: [index], seconds, flops, bytes, text: "" });
    }
  });
  for (const row of rows.values()) {
    const { kernel } = row;
    const places = kernel.places.map(facts.place);
    row.places = places;
    row.text = [kernel.name, ...kernel.ops, ...places, kernel.bound].join(" ").toLowerCase();
  }
  return [...rows.values()];
}

function sum(a, b) {
  return a === null || b === null ? null : a + b;
}

function compare(a, b) {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}

function columnsOf(facts) {
  const cell = (value) => (row) => h("td", { class: "number" }, value(row));
  return [
    {
      key: "order",
      name: "#",
      number: true,
      value: (row) => row.members[0],
      cell: cell((row) => row.members[0] + 1),
    },
    {
      name: "Kernel",
      value: (row) => facts.title(row.kernel),
      cell: (row) =>
        h(
          "td",
          { class: "kernel-cell" },
          // The row has a click; this button is its way by keyboard.
          h("button", { class: "text-link" }, facts.title(row.kernel)),
          row.members.length > 1 && h("span", { class: "badge" }, `× ${row.members.length}`),
          h("div", { class: "soft mono" }, row.kernel.name),
        ),
    },
    {
      name: "Model lines",
      value: (row) => row.places[0] ?? "",
      cell: (row) => h("td", { class: "mono" }, someOf(row.places)),
    },
    {
      name: facts.clock === "time" ? "Time" : "Estimate",
      number: true,
      value: (row) => row.seconds,
      cell: cell((row) => facts.time(row.seconds)),
    },
    {
      name: "Share",
      number: true,
      value: (row) => facts.share(row.seconds),
      cell: (row) => shareCell(facts, facts.share(row.seconds)),
    },
    {
      name: "Bound",
      value: (row) => row.kernel.bound,
      cell: (row) => h("td", {}, row.kernel.bound),
    },
    {
      name: "Of ceiling",
      number: true,
      value: (row) => row.kernel.ceiling,
      cell: cell((row) => facts.percent(row.kernel.ceiling)),
    },
    {
      name: "Arithmetic",
      number: true,
      value: (row) => row.flops,
      cell: cell((row) => flops(row.flops)),
    },
    {
      name: "Moves",
      number: true,
      value: (row) => row.bytes,
      cell: cell((row) => bytes(row.bytes)),
    },
  ];
}

function someOf(places) {
  return places.length > 3
    ? `${places.slice(0, 2).join(", ")} and ${places.length - 2} more`
    : places.join(", ");
}

/** A bar of the part of the time. */
function shareCell(facts, share) {
  if (share === null) return h("td", { class: "number" }, "");
  const bar = h("span", { class: "bar", "aria-hidden": "true" });
  bar.style.width = `${Math.max(1, Math.round(46 * share))}px`;
  return h("td", { class: "number share-cell" }, bar, facts.percent(share));
}
