// The rows of a text: a difference against the step before, or the whole, with folded parts.

/**
 * A row: `kind` is `same`, `add`, `del`, or `gap` (folded lines). `old` and `line` are line numbers
 * before and after the step, from 0, or null. A gap has `rows`, what it hides, and `label`.
 * @typedef {{kind: string, old: number | null, line: number | null, pair?: Row, rows?: Row[], label?: string, region?: number}} Row
 */

const CONTEXT = 3;
/** Fewer unchanged lines than this are not worth folding. */
const SHORTEST_GAP = 4;

/** Rows of a unified difference, nothing folded. */
export function diffRows(step) {
  const rows = [];
  let old = 0;
  let line = 0;
  const same = (end) => {
    while (line < end) rows.push({ kind: "same", old: old++, line: line++ });
  };
  for (const [a, b, c, d] of step.diff ?? []) {
    same(c);
    const removed = range(a, b).map((n) => ({ kind: "del", old: n, line: null }));
    const added = range(c, d).map((n) => ({ kind: "add", old: null, line: n }));
    if (b - a === d - c) {
      for (let i = 0; i < b - a; i++) {
        removed[i].pair = added[i];
        added[i].pair = removed[i];
      }
    }
    rows.push(...removed, ...added);
    old = b;
    line = d;
  }
  same(step.lines.length);
  return rows;
}

/** Rows of a difference with both sides next to each other; changed rows have the kind `change`. */
export function splitRows(step) {
  const rows = [];
  let old = 0;
  let line = 0;
  const same = (end) => {
    while (line < end) rows.push({ kind: "same", old: old++, line: line++ });
  };
  for (const [a, b, c, d] of step.diff ?? []) {
    same(c);
    for (let i = 0; i < Math.max(b - a, d - c); i++) {
      const before = a + i < b ? a + i : null;
      const after = c + i < d ? c + i : null;
      rows.push({ kind: "change", old: before, line: after });
    }
    old = b;
    line = d;
  }
  same(step.lines.length);
  return rows;
}

/** Rows of the whole text; `added` lines are marked as new. */
export function wholeRows(step, markAdded = true) {
  const hunks = markAdded ? (step.diff ?? []) : [];
  const added = new Set(hunks.flatMap(([, , c, d]) => range(c, d)));
  return step.lines.map((_, line) => ({
    kind: added.has(line) ? "new" : "same",
    old: null,
    line,
  }));
}

/** Folds runs of unchanged rows into gaps, but for some context around changes. */
export function foldUnchanged(rows) {
  const near = new Uint8Array(rows.length);
  rows.forEach((row, index) => {
    if (isSame(row)) return;
    near.fill(1, Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  });
  return collect(rows, (_, index) => near[index] === 0, SHORTEST_GAP, unchanged);
}

/** Folds the insides of ops, by the numbers of the ops. */
export function foldRegions(rows, regions, folded) {
  if (!folded.size) return rows;
  const result = [];
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index];
    result.push(row);
    const region = row.line === null ? undefined : regions.get(row.line);
    if (!region || !folded.has(region[0])) continue;
    let end = index + 1;
    while (end < rows.length && (rows[end].line === null || rows[end].line < region[1])) end++;
    if (end === rows.length) continue;
    const hidden = rows.slice(index + 1, end);
    if (hidden.length) {
      result.push({ kind: "gap", rows: hidden, label: folding(hidden), region: region[0] });
    }
    index = end - 1;
  }
  return result;
}

function isSame(row) {
  return row.kind === "same" || (row.kind === "gap" && row.rows.every(isSame));
}

/** The number of lines that rows show or hide. */
export function countLines(rows) {
  return rows.reduce((sum, row) => sum + (row.kind === "gap" ? countLines(row.rows) : 1), 0);
}

function unchanged(rows) {
  return `${countLines(rows)} unchanged lines`;
}

function folding(rows) {
  const count = countLines(rows);
  const lines = count === 1 ? "1 line" : `${count} lines`;
  return `${lines} folded${rows.every(isSame) ? "" : ", some changed"}`;
}

function collect(rows, isHidden, shortest, label) {
  const result = [];
  let hidden = [];
  const flush = () => {
    if (hidden.length >= shortest) result.push({ kind: "gap", rows: hidden, label: label(hidden) });
    else result.push(...hidden);
    hidden = [];
  };
  rows.forEach((row, index) => {
    if (isHidden(row, index)) {
      hidden.push(row);
      return;
    }
    flush();
    result.push(row);
  });
  flush();
  return result;
}

function range(first, end) {
  return Array.from({ length: end - first }, (_, i) => first + i);
}

/** The parts of two lines that differ: `[start, end in a, end in b]`, without the common ends. */
export function changedPart(a, b) {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let common = 0;
  while (common < most - start && a[a.length - 1 - common] === b[b.length - 1 - common]) common++;
  // Whole words read better than parts of them.
  const isWord = (c) => c !== undefined && /[\w%@.]/.test(c);
  while (start > 0 && isWord(a[start - 1]) && (isWord(a[start]) || isWord(b[start]))) start--;
  while (common > 0 && isWord(a[a.length - common]) && isWord(a[a.length - common - 1])) common--;
  return [start, a.length - common, b.length - common];
}
