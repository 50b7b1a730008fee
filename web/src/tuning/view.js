// The tuning page. `createTuningView` draws it from data, and again when there are more trials.

import { h, replace } from "../common/dom.js";
import { bind } from "../common/keys.js";
import { Filters } from "./filters.js";
import { RunModel } from "./model.js";
import { openComparison } from "./panel/compare.js";
import { openTrial } from "./panel/detail.js";
import { createDrawer } from "./panel/drawer.js";
import { advice } from "./parts/advice.js";
import { convergence } from "./parts/convergence.js";
import { effects } from "./parts/effects.js";
import { failures } from "./parts/failures.js";
import { heatmap } from "./parts/heatmap.js";
import { parallel } from "./parts/parallel.js";
import { runComparison } from "./parts/runs.js";
import { stages } from "./parts/stages.js";
import { structures } from "./parts/structures.js";
import { summary } from "./parts/summary.js";
import { trialTable } from "./parts/table.js";

/**
 * What the parts of the page share.
 * @typedef {object} Context
 * @property {any} data the page's data
 * @property {RunModel} model the run that is shown
 * @property {Filters} filters of the trial table
 * @property {Set<number>} chosen the marked rows, at most two
 * @property {ReturnType<typeof createDrawer>} drawer
 * @property {((run: string, trial: number) => Promise<any>) | null} loadDetail
 * @property {(row: number) => void} open shows a trial
 * @property {(a: number, b: number) => void} compare shows two trials
 * @property {(row: number, redraw?: boolean) => void} choose marks a row, or lets it go
 * @property {(place: number) => void} show shows another run
 */

/**
 * @param {any} data as `trials_data` gives it (docs/explorer_data.md, "A tuning run")
 * @param {{loadDetail?: (run: string, trial: number) => Promise<any>}} [options] how a live page gets
 *   the IR and the source of a trial: what `trial_detail` gives
 * @returns {{element: HTMLElement, update: (data: any) => void}}
 */
export function createTuningView(data, { loadDetail = null } = {}) {
  const element = h("div", { class: "tuning" });
  /** @type {Context} */
  const context = {
    data,
    model: null,
    filters: new Filters(),
    chosen: new Set(),
    drawer: createDrawer(),
    loadDetail,
    open: (row) => openTrial(context, row),
    compare: (a, b) => openComparison(context, a, b),
    choose,
    show,
  };
  let parts = [];
  let table = null;

  function build() {
    if (!data.runs.length) {
      replace(element, noRuns(context.data.source));
      return;
    }
    table = trialTable(context);
    parts = [
      summary(context),
      structures(context),
      convergence(context),
      effects(context),
      heatmap(context),
      parallel(context),
      table,
      failures(context),
      advice(context),
      stages(context),
      runComparison(context),
    ];
    const [top, best, found, earned, map, all, trials, failed, next, time, runs] = parts.map(
      (part) => part.element,
    );
    const column = (...cards) => h("div", { class: "column" }, cards);
    replace(
      element,
      top,
      h(
        "div",
        { class: "cards" },
        column(best, earned),
        column(found, map, next),
        all,
        trials,
        column(failed),
        column(time),
        runs,
      ),
      context.drawer.element,
    );
  }

  function draw() {
    for (const part of parts) part.draw();
  }

  /** Shows a run by its place; marks and filters are of one run, so they go. */
  function show(place) {
    context.model = new RunModel(context.data, place);
    context.chosen.clear();
    context.filters.parts.clear();
    context.drawer.close();
    if (context.model.columns) draw();
    scrollTo({ top: 0 });
  }

  function choose(row, redraw = false) {
    if (!context.chosen.delete(row)) {
      if (context.chosen.size === 2) context.chosen.delete([...context.chosen][0]);
      context.chosen.add(row);
    }
    if (redraw) {
      table.draw();
      openTrial(context, row);
    }
  }

  /** New data of the same file: the run, the filters and the marks stay. */
  function update(next) {
    const key = context.model?.run.key;
    const wasEmpty = !context.data.runs.length;
    const count = context.data.runs.length;
    context.data = next;
    data = next;
    if (!next.runs.length) return;
    const place = next.runs.findIndex((run) => run.key === key);
    const before = context.model && state(context.model.run, count);
    context.model = new RunModel(next, place < 0 ? next.shown : place);
    if (wasEmpty) build();
    // Drawing again would take the focus from a reader, so it is done where something is new.
    if (before !== state(context.model.run, next.runs.length)) draw();
  }

  if (data.runs.length) context.model = new RunModel(data, data.shown);
  build();
  draw();
  bind("t", "go to the trials", () => document.querySelector(".trial-grid")?.focus());
  bind("w", "open the winner", () => {
    if (context.model?.best !== null && context.model) context.open(context.model.best);
  });
  bind("Escape", "close the panel", () => context.drawer.close());
  return { element, update };
}

/** What tells one state of a run that goes on from the next. */
function state(run, runs) {
  return [runs, run.key, run.count, run.ending, Boolean(run.findings)].join(" ");
}

function noRuns(source) {
  return h(
    "div",
    { class: "empty" },
    h("p", {}, `${source} has no runs.`),
    h(
      "p",
      {},
      "A run is made by ",
      h("code", {}, `tilewright tune PAYLOAD -s SCHEDULE --db ${source}`),
      ".",
    ),
  );
}
