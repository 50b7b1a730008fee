// A pane that shows a text: rows with numbers, folded parts, marks on lines, and a search.
//
// Rows are made in chunks. A chunk outside the visible part is plain text until it comes near, so that
// a text of thousands of lines appears at once, and the browser's own search still finds everything.

import { h } from "../common/dom.js";
import { changedRanges, rangeOf, rowElement, rowText } from "./code_row.js";

const CHUNK = 16;
/** Rows around the first change that are made at once. */
const ABOVE = 12;
const BELOW = 32;
const NEAR = "300px 0px";
const highlights = globalThis.CSS?.highlights;

/** @typedef {{before: string[], after: string[], language: string, regions: Map, folded: Set, split: boolean}} Shown */

export class CodePane {
  /**
   * @param {{label: string, onLine?: (line: number | null, how: string) => void,
   *   onFold?: (op: number) => void, name?: string}} options
   */
  constructor({ label, onLine = () => {}, onFold = () => {}, name = "main" }) {
    this.onLine = onLine;
    this.onFold = onFold;
    this.name = name;
    this.body = h("div", { class: "code-body" });
    this.element = h(
      "div",
      { class: "code-pane", tabindex: "0", role: "region", "aria-label": label },
      this.body,
    );
    this.rows = [];
    this.marks = new Map();
    this.cursor = null;
    this.matches = [];
    this.match = -1;
    this.query = "";
    this.observer = new IntersectionObserver((entries) => this.appear(entries), {
      root: this.element,
      rootMargin: NEAR,
    });
    this.listen();
  }

  listen() {
    let last = null;
    const lineOf = (target) => this.rows[target.closest?.(".row")?.dataset.row]?.line ?? null;
    this.element.addEventListener("pointerover", (event) => {
      const line = lineOf(event.target);
      if (line !== last) this.onLine(line, "hover");
      last = line;
    });
    this.element.addEventListener("pointerleave", () => {
      last = null;
      this.onLine(null, "hover");
    });
    this.element.addEventListener("click", (event) => {
      const { gap, op } = event.target.dataset;
      if (gap !== undefined) this.openGap(Number(gap));
      else if (op !== undefined) this.onFold(Number(op));
      else if (getSelection().isCollapsed) this.onLine(lineOf(event.target), "click");
    });
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("blur", () => this.setCursor(null));
  }

  /** @param {import("./rows.js").Row[]} rows @param {Shown} shown */
  show(rows, shown, { keepScroll = false } = {}) {
    const anchor = keepScroll ? this.anchor() : null;
    this.rows = rows;
    this.shown = shown;
    this.cursor = null;
    const firstChange = this.build(rows);
    this.target = keepScroll ? undefined : firstChange;
    if (anchor) this.restore(anchor);
    this.findMatches();
  }

  /** Scrolls to the first change, after everything else of the page is in place. */
  settle() {
    if (this.target !== undefined) this.scrollToChange(this.target);
    this.target = undefined;
  }

  build(rows) {
    this.observer.disconnect();
    this.elements = new Array(rows.length);
    this.rowOfLine = new Map();
    this.clearRanges();
    let firstChange = null;
    rows.forEach((row, index) => {
      if (row.kind === "gap") return;
      if (row.line !== null) this.rowOfLine.set(row.line, index);
      if (firstChange === null && row.kind !== "same") firstChange = index;
    });
    const top = firstChange ?? 0;
    this.chunks = [];
    for (let first = 0; first < rows.length; first += CHUNK) {
      const chunk = h("div", { class: "chunk", dataset: { first } });
      const isNear = first <= top + BELOW && first + CHUNK > top - ABOVE;
      if (isNear) this.fill(chunk);
      else {
        chunk.classList.add("plain");
        chunk.textContent = rows
          .slice(first, first + CHUNK)
          .map((row) => rowText(row, this.shown))
          .join("\n");
      }
      this.chunks.push(chunk);
    }
    this.body.replaceChildren(...this.chunks);
    for (const chunk of this.chunks) {
      if (chunk.classList.contains("plain")) this.observer.observe(chunk);
    }
    return firstChange;
  }

  fill(chunk) {
    const first = Number(chunk.dataset.first);
    const made = [];
    for (let index = first; index < Math.min(first + CHUNK, this.rows.length); index++) {
      const row = this.rows[index];
      const element = rowElement(row, index, this.shown);
      this.elements[index] = element;
      for (const [kind, lines] of this.marks) {
        if (row.line !== null && lines.has(row.line)) element.classList.add(kind);
      }
      for (const [side, range] of changedRanges(row, element, this.shown)) this.paint(side, range);
      made.push(element);
    }
    chunk.classList.remove("plain");
    chunk.replaceChildren(...made);
  }

  appear(entries) {
    let filled = false;
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !target.classList.contains("plain")) continue;
      this.observer.unobserve(target);
      this.fill(target);
      filled = true;
    }
    if (filled && this.query) this.paintMatches();
  }

  /** The element of a row, made if its chunk is still plain. */
  rowAt(index) {
    const chunk = this.chunks[Math.floor(index / CHUNK)];
    if (chunk?.classList.contains("plain")) this.fill(chunk);
    return this.elements[index];
  }

  scrollToChange(row) {
    const view = this.element;
    if (row === null) {
      view.scrollTop = 0;
      return;
    }
    const element = this.rowAt(row);
    const top = element.offsetTop;
    const isVisible = top > view.scrollTop + 10 && top < view.scrollTop + view.clientHeight - 60;
    if (!isVisible) view.scrollTop = Math.max(0, top - view.clientHeight / 3);
  }

  /** Shows a line: opens what hides it, and scrolls to it. */
  reveal(line) {
    while (!this.rowOfLine.has(line)) {
      const gap = this.rows.findIndex((row) => row.kind === "gap" && hides(row, line));
      if (gap < 0) return;
      this.openGap(gap, false);
    }
    this.scrollToRow(this.rowOfLine.get(line));
  }

  scrollToRow(index) {
    const row = this.rowAt(index);
    if (!row) return;
    const { scrollTop, clientHeight } = this.element;
    const isVisible =
      row.offsetTop >= scrollTop && row.offsetTop + row.offsetHeight <= scrollTop + clientHeight;
    if (!isVisible) this.element.scrollTop = row.offsetTop - clientHeight / 3;
  }

  /** The first line that is visible, and where it is, so that it can stay there. */
  anchor() {
    const { scrollTop } = this.element;
    const index = this.elements?.findIndex(
      (one, row) => one && this.rows[row].line !== null && one.offsetTop >= scrollTop,
    );
    if (index === undefined || index < 0) return null;
    return { line: this.rows[index].line, above: this.elements[index].offsetTop - scrollTop };
  }

  restore(anchor) {
    const row = this.rowOfLine.get(anchor?.line);
    if (row === undefined) return;
    this.element.scrollTop = this.rowAt(row).offsetTop - anchor.above;
  }

  openGap(index, focus = true) {
    const gap = this.rows[index];
    if (gap.region !== undefined) this.shown.folded.delete(gap.region);
    const anchor = this.anchor();
    this.rows = [...this.rows.slice(0, index), ...gap.rows, ...this.rows.slice(index + 1)];
    this.build(this.rows);
    this.restore(anchor);
    this.findMatches(false);
    if (focus) this.element.focus({ preventScroll: true });
  }

  // -- marks ---------------------------------------------------------------------------

  /** Marks lines with a class; an empty list takes the marks away. */
  mark(kind, lines) {
    for (const line of this.marks.get(kind) ?? []) this.elementOf(line)?.classList.remove(kind);
    const wanted = new Set(lines);
    this.marks.set(kind, wanted);
    for (const line of wanted) this.elementOf(line)?.classList.add(kind);
  }

  elementOf(line) {
    return this.elements?.[this.rowOfLine.get(line)];
  }

  // -- the keyboard --------------------------------------------------------------------

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 };
    if (event.key in moves) {
      this.moveCursor(moves[event.key]);
    } else if (event.key === "Enter" && this.cursor !== null && event.target === this.element) {
      const row = this.rows[this.cursor];
      const region = this.shown.regions.get(row.line);
      if (row.kind === "gap") this.openGap(this.cursor);
      else if (region) this.onFold(region[0]);
      else this.onLine(row.line, "click");
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  moveCursor(by) {
    const most = this.rows.length - 1;
    const visible = this.elements.findIndex(
      (one) => one && one.offsetTop >= this.element.scrollTop && one.isConnected,
    );
    const from = this.cursor ?? Math.max(0, visible) - by;
    this.setCursor(Math.max(0, Math.min(most, from + by)));
    this.scrollToRow(this.cursor);
    this.onLine(this.rows[this.cursor]?.line ?? null, "focus");
  }

  setCursor(index) {
    this.elements?.[this.cursor]?.classList.remove("cursor");
    this.cursor = index;
    if (index !== null) this.rowAt(index)?.classList.add("cursor");
  }

  // -- search --------------------------------------------------------------------------

  /** Searches for a text; returns the number of matches. */
  search(query) {
    this.query = query;
    this.match = -1;
    this.findMatches();
    return this.matches.length;
  }

  findMatches(fromStart = true) {
    this.matches = [];
    if (this.query) {
      const exact = this.query !== this.query.toLowerCase();
      const wanted = exact ? this.query : this.query.toLowerCase();
      const visit = (row) => {
        if (row.kind === "gap") {
          row.rows.forEach(visit);
          return;
        }
        const text = exact ? rowText(row, this.shown) : rowText(row, this.shown).toLowerCase();
        for (
          let at = text.indexOf(wanted);
          at >= 0;
          at = text.indexOf(wanted, at + wanted.length)
        ) {
          this.matches.push({ row, at });
        }
      };
      this.rows.forEach(visit);
    }
    if (fromStart) this.match = -1;
    this.paintMatches();
  }

  /** Goes to the next match (1) or the one before (-1); returns its number from 0. */
  nextMatch(by) {
    const count = this.matches.length;
    if (!count) return -1;
    this.match = this.match < 0 && by < 0 ? count - 1 : (this.match + by + count) % count;
    const { row } = this.matches[this.match];
    let gap = this.rows.findIndex((one) => one.kind === "gap" && contains(one, row));
    while (gap >= 0) {
      this.openGap(gap, false);
      gap = this.rows.findIndex((one) => one.kind === "gap" && contains(one, row));
    }
    this.scrollToRow(this.rows.indexOf(row));
    this.paintMatches();
    return this.match;
  }

  paintMatches() {
    this.clear("match");
    this.clear("match-now");
    const indexes = new Map(this.rows.map((row, index) => [row, index]));
    this.matches.forEach(({ row, at }, number) => {
      const element = this.elements[indexes.get(row)];
      if (!element) return;
      const code = element.querySelectorAll(".code");
      const range = rangeOf(code[code.length - 1], at, at + this.query.length);
      this.paint(number === this.match ? "match-now" : "match", range);
    });
  }

  // -- highlights of the browser, which need no elements ----------------------------------

  paint(kind, range) {
    if (!highlights || !range) return;
    const name = `${kind}-${this.name}`;
    if (!highlights.has(name)) highlights.set(name, new Highlight());
    highlights.get(name).add(range);
  }

  clear(kind) {
    highlights?.get(`${kind}-${this.name}`)?.clear();
  }

  clearRanges() {
    for (const kind of ["add", "del", "match", "match-now"]) this.clear(kind);
  }
}

function hides(gap, line) {
  return gap.rows.some((row) => (row.kind === "gap" ? hides(row, line) : row.line === line));
}

function contains(gap, wanted) {
  return gap.rows.some((row) => row === wanted || (row.kind === "gap" && contains(row, wanted)));
}
