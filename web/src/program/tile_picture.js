// A small drawing of a grid: the result as a rectangle, cut into tiles, with one tile filled.

import "./style/tiles.css";
import { s } from "../common/dom.js";

const SIDE = 72;
const LEFT = 34;
const TOP = 8;
const MOST_LINES = 16;

/** @param {{extents: (number|null)[], tiles: (number|null)[]|null, result: object|null}} grid */
export function tilePicture(grid) {
  const cut = axes(grid);
  const [width, height] = size(cut);
  const sheets = Math.min(cut.sheets - 1, 3);
  const shift = 4;
  const total = [LEFT + width + sheets * shift + 6, TOP + height + sheets * shift + 18];
  const x = LEFT;
  const y = TOP + sheets * shift;
  return s(
    "svg",
    {
      class: "tile-picture",
      viewBox: `0 0 ${total[0]} ${total[1]}`,
      width: total[0],
      height: total[1],
      role: "img",
      "aria-label": described(cut),
    },
    Array.from({ length: sheets }, (_, index) => {
      const by = (sheets - index) * shift;
      return s("rect", { class: "sheet", x: x + by, y: y - by, width, height, rx: 2 });
    }),
    s("rect", { class: "whole", x, y, width, height, rx: 2 }),
    lines(cut.columns, (at) => ({ x1: x + at * width, x2: x + at * width, y1: y, y2: y + height })),
    lines(cut.rows, (at) => ({ x1: x, x2: x + width, y1: y + at * height, y2: y + at * height })),
    tile(cut, x, y, width, height),
    s("text", { x: x + width / 2, y: y + height + 12, "text-anchor": "middle" }, cut.columns.label),
    cut.rows.label === null
      ? null
      : s("text", { x: x - 4, y: y + height / 2 + 4, "text-anchor": "end" }, cut.rows.label),
  );
}

/** The last two axes of the result, and how many sheets the others make. */
function axes({ extents, result }) {
  if (!result) {
    const two = [1, ...extents].slice(-2).map((count) => axis(count, 1));
    return { rows: two[0], columns: two[1], sheets: 1, name: "" };
  }
  const { shape, tile } = result;
  const full = shape.length === tile.length ? shape : shape.slice(-tile.length);
  const all = full.map((extent, index) => axis(extent, tile[index]));
  const [rows, columns] = all.length > 1 ? all.slice(-2) : [axis(1, 1, null), all[0] ?? axis(1, 1)];
  const outer = all.slice(0, -2).reduce((product, each) => product * (each.count ?? 2), 1);
  return { rows, columns, sheets: outer, name: result.name };
}

function axis(extent, tile, label = extent ?? "?") {
  const count = extent === null || !tile ? null : Math.max(1, Math.ceil(extent / tile));
  return { extent, tile, count, label };
}

/** The sides of the rectangle: as the result, but never a thin line. */
function size({ rows, columns }) {
  if (rows.label === null) return [SIDE, 16];
  const ratio = (columns.extent ?? 1) / (rows.extent ?? 1);
  const shown = Math.min(Math.max(ratio, 0.4), 2.5);
  return shown >= 1 ? [SIDE, SIDE / shown] : [SIDE * shown, SIDE];
}

function lines({ count }, at) {
  const known = count ?? 4;
  const every = Math.ceil(known / MOST_LINES);
  const drawn = [];
  for (let index = every; index < known; index += every) {
    drawn.push(s("line", { class: every > 1 ? "cut many" : "cut", ...at(index / known) }));
  }
  return drawn;
}

function tile({ rows, columns }, x, y, width, height) {
  const w = Math.max(width / (columns.count ?? 4), 4);
  const h = Math.max(height / (rows.count ?? 4), 4);
  const column = Math.min(Math.floor((columns.count ?? 4) / 3), (columns.count ?? 4) - 1);
  const row = Math.min(Math.floor((rows.count ?? 4) / 3), (rows.count ?? 4) - 1);
  return s("rect", {
    class: "tile",
    x: Math.min(x + (column * width) / (columns.count ?? 4), x + width - w),
    y: Math.min(y + (row * height) / (rows.count ?? 4), y + height - h),
    width: w,
    height: h,
    rx: 1,
  });
}

function described({ rows, columns, name }) {
  const whole = rows.label === null ? `${columns.label}` : `${rows.label} by ${columns.label}`;
  const one =
    rows.label === null
      ? `${columns.tile ?? "?"}`
      : `${rows.tile ?? "?"} by ${columns.tile ?? "?"}`;
  return `${name || "the result"}, ${whole}, in tiles of ${one}`;
}
