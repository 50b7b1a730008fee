// The loop nest of a step as a picture: grids, loops and ops inside each other, what is read from
// memory and written to it, and what stays on chip.

import "./style/nest.css";
import { h, s } from "../common/dom.js";
import { bytes, digits } from "../common/numbers.js";
import { tilePicture } from "./tile_picture.js";

/**
 * @param {object} nest as docs/explorer_data.md has it
 * @param {{onOp?: (op: number) => void, highlighted?: Iterable<number>}} [options]
 * @returns {HTMLElement}
 */
export function drawNest(nest, { onOp, highlighted = [] } = {}) {
  const context = { onOp, marked: new Set(highlighted) };
  if (nest.children.length === 0) {
    return h("div", { class: "nest empty" }, "This step has no op that computes or moves data.");
  }
  return h("div", { class: "nest" }, totals(nest), list(nest.children, context));
}

/** Bytes as people read them; null is a size that is not known. */
export function amount(count) {
  return count === null || count === undefined ? "unknown" : bytes(count);
}

// -- totals ---------------------------------------------------------------------------------------

function totals(nest) {
  const now = sum(nest.read, nest.written);
  const first = nest.payload ?? null;
  const most = Math.max(now ?? 0, first ?? 0, 1);
  return h(
    "div",
    { class: "nest-totals" },
    h(
      "dl",
      { class: "nest-figures" },
      figure("memory traffic", amount(now)),
      figure("read", amount(nest.read)),
      figure("written", amount(nest.written)),
      figure("kept on chip", amount(nest.kept)),
    ),
    first === null || now === null
      ? null
      : h(
          "div",
          {
            class: "nest-bars",
            role: "img",
            "aria-label": `${amount(now)} moved; the payload, op by op, moves ${amount(first)}`,
          },
          bar("payload", [["payload", first]], most, amount(first)),
          bar(
            "this step",
            [
              ["read", nest.read],
              ["written", nest.written],
            ],
            most,
            `${amount(now)}${comparison(now, first)}`,
          ),
        ),
    legend(),
  );
}

function figure(label, value) {
  return h("div", { class: "nest-figure" }, h("dt", {}, label), h("dd", {}, value));
}

function bar(label, parts, most, text) {
  const drawn = parts.map(([kind, value]) => {
    const part = h("span", { class: `nest-bar-part ${kind}` });
    part.style.width = `${(100 * value) / most}%`;
    return part;
  });
  return h(
    "div",
    { class: "nest-bar-row" },
    h("span", { class: "nest-bar-label" }, label),
    h("span", { class: "nest-bar" }, drawn),
    h("span", { class: "nest-bar-text" }, text),
  );
}

function comparison(now, first) {
  if (!first || !now || now === first) return "";
  return now < first ? `, ${digits(first / now)}× less` : `, ${digits(now / first)}× more`;
}

function legend() {
  return h(
    "p",
    { class: "nest-legend" },
    token("in memory", "memory"),
    token("on chip", "chip"),
    h(
      "span",
      { class: "nest-definition" },
      "Every byte that a program loads or stores counts, also if the L2 cache has it.",
    ),
  );
}

// -- nodes ----------------------------------------------------------------------------------------

function list(children, context) {
  return h(
    "ol",
    { class: "nest-list" },
    children.map((child) => h("li", {}, DRAWN[child.kind](child, context))),
  );
}

const DRAWN = { grid: drawGrid, loop: drawLoop, op: drawOp };

function drawGrid(grid, context) {
  const inside = opsIn(grid);
  return h(
    "div",
    { class: "nest-grid-around" },
    stream("reads", grid.read, inside, "reads"),
    h(
      "div",
      { class: "nest-grid" },
      pressable(
        "nest-grid-head",
        [grid.op],
        context,
        tilePicture(grid),
        h(
          "span",
          { class: "nest-grid-text" },
          h(
            "span",
            { class: "nest-title" },
            h("strong", {}, grid.name || "Grid"),
            ` ${programs(grid)}`,
          ),
          h("span", { class: "nest-soft" }, gridText(grid)),
          grid.kept === 0
            ? null
            : h("span", { class: "nest-soft" }, `keeps ${amount(grid.kept)} on chip`),
        ),
      ),
      list(grid.children, context),
    ),
    stream("writes", grid.written, inside, "writes"),
  );
}

function programs(grid) {
  const extents = grid.extents.map((extent) => extent ?? "?").join(" × ");
  const total = grid.programs === null ? "" : ` = ${digits(grid.programs)}`;
  const one = grid.programs === 1 ? "program" : "programs";
  return grid.extents.length > 1 ? `${extents}${total} ${one}` : `${extents} ${one}`;
}

function gridText({ mapping, result }) {
  const parts = [];
  if (mapping.length) parts.push(`on ${mapping.join(", ")}`);
  if (result) {
    parts.push(
      `each makes a ${shape(result.tile)} tile of ${result.name} (${shape(result.shape)})`,
    );
  }
  return parts.join(" · ");
}

/** What crosses the edge of a grid: each tensor in memory, with its bytes. */
function stream(verb, total, ops, field) {
  const moved = new Map();
  for (const op of ops) {
    for (const each of op[field]) {
      if (each.where !== "memory") continue;
      moved.set(each.name, sum(moved.get(each.name) ?? 0, times(each)));
    }
  }
  if (moved.size === 0) return null;
  return h(
    "div",
    { class: `nest-stream ${verb}` },
    arrow(verb),
    h("span", { class: "nest-stream-total" }, `${verb} ${amount(total)}`),
    [...moved].map(([name, count]) =>
      h(
        "span",
        { class: "nest-token in-memory" },
        h("span", { class: "mono" }, name),
        moved.size > 1 ? h("span", { class: "nest-soft" }, ` ${amount(count)}`) : null,
      ),
    ),
  );
}

function arrow() {
  return s(
    "svg",
    { class: "nest-arrow", viewBox: "0 0 14 14", width: "14", height: "14", "aria-hidden": "true" },
    s("path", { d: "M7 1v11M2.5 7.5 7 12l4.5-4.5", fill: "none", "stroke-width": "2" }),
  );
}

function drawLoop(loop, context) {
  return h(
    "div",
    { class: "nest-loop" },
    pressable(
      "nest-loop-head",
      [loop.op],
      context,
      turning(),
      h(
        "span",
        { class: "nest-loop-text" },
        h("strong", {}, loop.trips === null ? "loop" : `${digits(loop.trips)}×`),
        h("span", {}, loopText(loop)),
        loop.carries.length
          ? h(
              "span",
              { class: "nest-carried" },
              h("span", { class: "nest-soft" }, "carries "),
              loop.carries.map((name) => token(name, "chip")),
            )
          : null,
      ),
    ),
    list(loop.children, context),
  );
}

function loopText({ extent, step, stages }) {
  const over = extent === null ? "over an extent known at run time" : `over ${digits(extent)}`;
  const by = step === null || step === 1 ? "" : ` by ${digits(step)}`;
  return `${over}${by}${stages ? `, ${stages} stages` : ""}`;
}

function turning() {
  return s(
    "svg",
    { class: "nest-turn", viewBox: "0 0 16 16", width: "16", height: "16", "aria-hidden": "true" },
    s("path", {
      d: "M13 8a5 5 0 1 1-1.6-3.7M13.2 1.6v3.2H10",
      fill: "none",
      "stroke-width": "1.8",
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    }),
  );
}

function drawOp(op, context) {
  const read = total(op.reads);
  const written = total(op.writes);
  return pressable(
    MINOR.has(op.verb) ? "nest-op minor" : "nest-op",
    [op.op, ...op.ops],
    context,
    h("span", { class: "nest-op-text" }, expression(op)),
    h("span", { class: "nest-op-type mono" }, op.type.replaceAll("x", "×")),
    h(
      "span",
      { class: "nest-op-bytes" },
      read === 0 ? null : h("span", { class: "in" }, `reads ${amount(read)}`),
      written === 0 ? null : h("span", { class: "out" }, `writes ${amount(written)}`),
    ),
  );
}

const MINOR = new Set(["fill"]);
const MOST_NAMES = 4;

function expression(op) {
  const target = op.writes[0];
  if (op.verb === "load") {
    return ["load ", ...op.reads.map((moved) => token(moved.name, moved.where))];
  }
  if (op.verb === "store") return ["store ", token(op.name, target?.where ?? "memory")];
  const made =
    op.writes.length > 1 ? op.writes : [{ name: op.name, where: target?.where ?? "chip" }];
  const parts = [...tokens(made), ` = ${op.verb}`];
  return op.reads.length ? [...parts, "(", ...tokens(op.reads), ")"] : parts;
}

/** Names with commas between them, each once; of a long row of ops, not all. */
function tokens(moved) {
  const different = new Map(moved.map((each) => [each.name, each]));
  const shown = [...different.values()].slice(0, MOST_NAMES);
  const drawn = shown.flatMap(({ name, where }, index) => [index ? ", " : "", token(name, where)]);
  return different.size > shown.length ? [...drawn, ", …"] : drawn;
}

// -- parts ----------------------------------------------------------------------------------------

function token(name, where) {
  const home = HOMES[where];
  return h("span", { class: `nest-token mono ${home.class}`, title: home.title }, name);
}

const HOMES = {
  memory: { title: "in memory", class: "in-memory" },
  chip: { title: "on chip", class: "on-chip" },
};

/** A button for some ops; the first is the one that a press points at. */
function pressable(name, ops, { onOp, marked }, ...children) {
  const isMarked = ops.some((op) => marked.has(op));
  return h(
    "button",
    {
      type: "button",
      class: isMarked ? `${name} marked` : name,
      onclick: () => onOp?.(ops[0]),
      dataset: { op: ops[0], ops: ops.join(" ") },
    },
    children,
  );
}

function opsIn(node) {
  return node.kind === "op" ? [node] : node.children.flatMap(opsIn);
}

/** The bytes that all trips move to or from memory. */
function total(moved) {
  return moved
    .filter((each) => each.where === "memory")
    .reduce((all, each) => sum(all, times(each)), 0);
}

function times({ bytes: count, trips }) {
  return count === null || trips === null ? null : count * trips;
}

function sum(a, b) {
  return a === null || b === null ? null : a + b;
}

function shape(extents) {
  return extents.map((extent) => extent ?? "?").join("×");
}
