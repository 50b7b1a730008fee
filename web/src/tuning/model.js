// A run as the page reads it: columns of trials, decoded where they are asked for.

import { time } from "../common/numbers.js";

/** Milliseconds as people read them. */
export function ms(value) {
  return value === null || value === undefined ? "–" : time(value / 1e3);
}

/** `1 trial`, `2 trials`. */
export function counted(count, word) {
  return `${count.toLocaleString("en")} ${count === 1 ? word : `${word}s`}`;
}

/** A ratio of times: `1.32×`, `2.1×`, `12×`. */
export function times(ratio) {
  if (ratio >= 10) return `${Math.round(ratio)}×`;
  return `${ratio.toFixed(ratio < 1.995 ? 2 : 1)}×`;
}

export class RunModel {
  /**
   * @param {any} data the page's data
   * @param {number} place which of its runs
   */
  constructor(data, place) {
    this.data = data;
    this.place = place;
    this.run = data.runs[place];
    this.columns = this.run.trials;
    this.choices = this.run.choices ?? [];
    this.byName = new Map(this.choices.map((choice) => [choice.name, choice]));
    this.count = this.columns ? this.columns.number.length : 0;
    this.best = this.run.best ?? null;
    this.ok = data.outcomes.indexOf("ok");
  }

  /** The value of a column of numbers; null where there is none. */
  number(column, row) {
    const values = this.columns[column];
    return values ? values[row] : null;
  }

  has(column) {
    return Boolean(this.columns?.[column]);
  }

  ms(row) {
    return this.number("ms", row);
  }

  /** The best time of all trials; null where none worked. */
  get bestMs() {
    return this.best === null ? null : this.ms(this.best);
  }

  outcome(row) {
    return this.data.outcomes[this.columns.outcome[row]];
  }

  error(row) {
    const place = this.columns.error[row];
    return place < 0 ? "" : this.columns.errors[place];
  }

  origin(row) {
    return this.columns.origin ? this.columns.origin[row] : "new";
  }

  /** The position of a trial's option among those of a choice; null if it is not open. */
  option(name, row) {
    return this.columns.points[name][row];
  }

  /** The value that a trial has for a choice; undefined where the choice is not open. */
  value(name, row) {
    const place = this.option(name, row);
    return place === null ? undefined : this.byName.get(name).options[place];
  }

  /** The choices of a trial as `[name, value]`. */
  point(row) {
    return this.choices
      .map(({ name }) => [name, this.value(name, row)])
      .filter(([, value]) => value !== undefined);
  }

  pointText(row) {
    return this.point(row)
      .map(([name, value]) => `${name}=${value}`)
      .join(" ");
  }

  /** `trial 12`; the winner is named as such. */
  name(row) {
    const number = `trial ${this.columns.number[row]}`;
    return row === this.best ? `${number} (the winner)` : number;
  }

  /** What is stored of a trial in full, or null. */
  detail(row) {
    return this.run.details?.[row] ?? null;
  }

  /** The rows that worked, the fastest first. */
  ranked() {
    const rows = [];
    for (let row = 0; row < this.count; row++) if (this.ms(row) !== null) rows.push(row);
    return rows.sort((a, b) => this.ms(a) - this.ms(b));
  }

  /** The command that opens a trial in the program page; null for a part of a program. */
  command(row) {
    if (!this.run.view) return null;
    const settings = this.point(row).map(([name, value]) => ` --set ${quoted(`${name}=${value}`)}`);
    return this.run.view + settings.join("");
  }
}

/** A word of a shell. */
function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}

/** `gemm.mlir 4096x4096 on NVIDIA H200, 2026-11-16 08:30`. */
export function runName(run) {
  const words = [run.payload, run.sizes, "under", run.schedule, "on", run.device];
  const named = words.filter(Boolean).join(" ");
  return run.started ? `${named}, ${run.started}` : named;
}
