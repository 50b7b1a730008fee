// Two texts side by side: which lines are equal, removed, added (the shortest script, by Myers).

import { h } from "../../common/dom.js";

const MOST = 4000;
/* Edits after which texts are taken to have nothing in common. */

/**
 * Pairs of lines: `[left, right]`, either null.
 * @param {string[]} before
 * @param {string[]} after
 */
export function pairs(before, after) {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end++;
  }
  const a = before.slice(start, before.length - end);
  const b = after.slice(start, after.length - end);
  const kept = common(a, b);
  const found = [];
  for (let place = 0; place < start; place++) found.push([place, place]);
  let [i, j] = [0, 0];
  for (const [x, y] of [...kept, [a.length, b.length]]) {
    // Changed lines stand beside each other.
    while (i < x || j < y) found.push([i < x ? start + i++ : null, j < y ? start + j++ : null]);
    if (x < a.length) found.push([start + i++, start + j++]);
  }
  for (let place = 0; place < end; place++) {
    found.push([before.length - end + place, after.length - end + place]);
  }
  return found;
}

/** The lines that two texts have in common, in order: Myers' greedy algorithm. */
function common(a, b) {
  const limit = Math.min(a.length + b.length, MOST);
  const trace = [];
  const reach = new Map([[1, 0]]);
  for (let edits = 0; edits <= limit; edits++) {
    trace.push(new Map(reach));
    for (let k = -edits; k <= edits; k += 2) {
      const down =
        k === -edits || (k !== edits && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
      let x = down ? reach.get(k + 1) : reach.get(k - 1) + 1;
      let y = x - k;
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++;
        y++;
      }
      reach.set(k, x);
      if (x >= a.length && y >= b.length) return walkBack(trace, a.length, b.length);
    }
  }
  return [];
}

function walkBack(trace, length, other) {
  const found = [];
  let [x, y] = [length, other];
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reach = trace[edits];
    const k = x - y;
    const down =
      k === -edits || (k !== edits && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
    const before = down ? k + 1 : k - 1;
    const fromX = edits === 0 ? 0 : reach.get(before);
    const fromY = edits === 0 ? 0 : fromX - before;
    while (x > fromX && y > fromY) {
      x--;
      y--;
      found.push([x, y]);
    }
    [x, y] = [fromX, fromY];
  }
  return found.reverse();
}

const AROUND = 3;

/** The difference of two texts as a table, equal parts folded. */
export function diffTable(before, after, names) {
  const all = pairs(before, after);
  const isEqual = ([x, y]) => x !== null && y !== null && before[x] === after[y];
  const near = new Uint8Array(all.length);
  let changed = 0;
  all.forEach((pair, place) => {
    if (isEqual(pair)) return;
    changed += 1;
    for (let at = Math.max(0, place - AROUND); at <= Math.min(all.length - 1, place + AROUND); at++)
      near[at] = 1;
  });
  if (!changed) return h("p", { class: "note" }, "Both texts are the same.");
  const rows = [];
  for (let place = 0; place < all.length; place++) {
    if (!near[place]) {
      let end = place;
      while (end < all.length && !near[end]) end++;
      rows.push(fold(all.slice(place, end), before, end - place));
      place = end - 1;
      continue;
    }
    rows.push(line(all[place], before, after, isEqual(all[place])));
  }
  return h(
    "div",
    {
      class: "scroll diff",
      tabindex: "0",
      role: "region",
      "aria-label": `Differences: ${names.join(" and ")}`,
    },
    h(
      "table",
      {},
      h(
        "colgroup",
        {},
        names.map(() => [h("col", { class: "narrow" }), h("col", {})]),
      ),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          names.map((name) => h("th", { scope: "col", colspan: 2 }, name)),
        ),
      ),
      h("tbody", {}, rows),
    ),
  );
}

function line([x, y], before, after, equal) {
  const left = x === null ? "" : before[x];
  const right = y === null ? "" : after[y];
  return h(
    "tr",
    {},
    h("td", { class: "line-number" }, x === null ? "" : x + 1),
    h("td", { class: x === null ? "gap" : equal ? "" : "removed" }, left),
    h("td", { class: "line-number" }, y === null ? "" : y + 1),
    h("td", { class: y === null ? "gap" : equal ? "" : "added" }, right),
  );
}

/** Equal lines behind a button. */
function fold(folded, before, count) {
  const row = h("tr", { class: "fold" });
  const button = h(
    "button",
    {
      class: "link",
      onclick: () => row.replaceWith(...folded.map(([x, y]) => equalLine(x, y, before))),
    },
    `${count} equal lines`,
  );
  row.append(h("td", { colspan: 4 }, button));
  return row;
}

function equalLine(x, y, before) {
  return h(
    "tr",
    {},
    h("td", { class: "line-number" }, x + 1),
    h("td", {}, before[x]),
    h("td", { class: "line-number" }, y + 1),
    h("td", {}, before[x]),
  );
}
