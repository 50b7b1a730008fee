// The first line of the page: the best time, the trials, the time of tuning, and what the run was.

import { copyButton } from "../../common/copy.js";
import { h, replace } from "../../common/dom.js";
import { percent } from "../../common/numbers.js";
import { ms, times } from "../model.js";
import { runPicker } from "./runs.js";

/** @param {import("../view.js").Context} context */
export function summary(context) {
  const element = h("div", { class: "summary" });
  function draw() {
    const { model, data } = context;
    const { run } = model;
    const failed = run.count - run.worked;
    const ending = {
      interrupted: "interrupted",
      failed: "failed",
      "": run.wall_seconds ? "" : "under way, or killed",
    }[run.ending];
    replace(
      element,
      h(
        "div",
        { class: "run-line" },
        runPicker(context),
        h("p", { class: "soft" }, about(run)),
        ending ? h("span", { class: "badge warn" }, ending) : null,
      ),
      h(
        "div",
        { class: "figures" },
        figure(
          run.best_ms === null ? "none" : ms(run.best_ms),
          run.measured ? "best time" : "best time, by the cost model",
        ),
        figure(
          run.count.toLocaleString("en"),
          failed
            ? `trials, ${failed.toLocaleString("en")} failed (${percent(failed / run.count)})`
            : "trials, none failed",
        ),
        run.valid_points
          ? figure(run.valid_points.toLocaleString("en"), "valid points in the space")
          : null,
        run.wall_seconds ? figure(`${run.wall_seconds.toFixed(1)} s`, "of tuning") : null,
        spread(model),
      ),
      run.best_point
        ? h(
            "p",
            { class: "best-point mono" },
            Object.entries(run.best_point).map(([name, value]) =>
              h("span", { class: "setting" }, `${name}=${value}`),
            ),
            winnerButton(context),
          )
        : null,
      data.damaged
        ? h(
            "p",
            { class: "warning" },
            `${data.damaged} results of the file cannot be read and are left out.`,
          )
        : null,
      run.command
        ? h(
            "details",
            { class: "command-line" },
            h("summary", {}, "The command of this run"),
            h("pre", { class: "command", tabindex: "0" }, run.command),
            copyButton(() => run.command),
          )
        : null,
    );
  }
  return { element, draw };
}

function about(run) {
  const words = [
    run.payload,
    run.sizes,
    `under ${run.schedule}`,
    `on ${run.device}`,
    run.versions,
    run.strategy,
    run.started,
  ];
  return words.filter(Boolean).join(" · ");
}

function figure(value, text, more = null) {
  return h(
    "div",
    { class: "figure" },
    h("span", { class: "figure-value" }, value),
    h("span", { class: "soft" }, text),
    more,
  );
}

function winnerButton(context) {
  const { model } = context;
  if (model.best === null) return null;
  return h(
    "button",
    { class: "button small", onclick: () => context.open(model.best) },
    "Open the winner",
  );
}

/** How much the choices matter: the slowest trial beside the best. */
function spread(model) {
  const ranked = model.count ? model.ranked() : [];
  if (ranked.length < 2) return null;
  return figure(
    times(model.ms(ranked.at(-1)) / model.ms(ranked[0])),
    "from the best to the slowest trial",
  );
}
