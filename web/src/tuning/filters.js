// What the trial table is filtered by: a cell of the heat map, a mark on an axis, a group of failures,
// an outcome, words. All of them apply together.

/**
 * A filter is `{text, keeps(row, model)}`: what a chip says, and which rows stay. A live page gets new
 * models, so a filter reads the one that it is given.
 */
export class Filters {
  constructor() {
    this.parts = new Map();
    this.listeners = [];
  }

  /** Sets or (with null) removes one filter, and tells the listeners. */
  set(name, filter) {
    if (filter) this.parts.set(name, filter);
    else if (!this.parts.delete(name)) return;
    for (const listener of this.listeners) listener(name);
  }

  clear() {
    this.parts.clear();
    for (const listener of this.listeners) listener(null);
  }

  onchange(listener) {
    this.listeners.push(listener);
  }

  /** Those of some rows that all filters keep, in their order. */
  rows(model, order) {
    const keeps = [...this.parts.values()].map((part) => part.keeps);
    return keeps.length ? order.filter((row) => keeps.every((keep) => keep(row, model))) : order;
  }
}

/** A filter by words: `BM=128 ok` keeps rows that have both; `<1.2` keeps those within 1.2× of the best. */
export function byWords(model, text) {
  const words = text.trim().split(/\s+/).filter(Boolean);
  if (!words.length) return null;
  const tests = words.map((word) => wordTest(model, word));
  return {
    text: `“${text.trim()}”`,
    keeps: (row, current) => tests.every((test) => test(row, current)),
  };
}

function wordTest(model, word) {
  const near = word.match(/^<([\d.]+)×?$/);
  if (near) {
    const most = Number(near[1]);
    return (row, current) =>
      current.ms(row) !== null && current.ms(row) <= most * (current.bestMs ?? 0);
  }
  const [, name, value] = word.match(/^([^=]+)=(.*)$/) ?? [];
  const choice = model.byName.get(name);
  if (choice) {
    const places = new Set();
    choice.options.forEach((option, place) => {
      if (String(option).toLowerCase() === value.toLowerCase()) places.add(place);
    });
    return (row, current) => places.has(current.option(name, row));
  }
  const wanted = word.toLowerCase();
  return (row, current) =>
    current.outcome(row).includes(wanted) ||
    String(current.columns.number[row]) === wanted ||
    current.error(row).toLowerCase().includes(wanted) ||
    current.point(row).some(([, chosen]) => String(chosen).toLowerCase().includes(wanted));
}
