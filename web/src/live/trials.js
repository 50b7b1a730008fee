// The best trials of a tuning run while it goes on; the tuning page has all of them.

import { h, replace } from "../common/dom.js";
import { digits } from "../common/numbers.js";

const MOST = 5;

/** @param {(point: object) => void} onUse takes the choices of a trial */
export function createTrials(onUse) {
  const element = h("div", { class: "live-trials", hidden: true });
  return {
    element,
    clear() {
      element.hidden = true;
      replace(element);
    },
    update(data, number) {
      const run = data.runs[data.shown];
      element.hidden = !run?.trials;
      if (run?.trials) replace(element, summary(run, number), table(run, onUse));
    },
  };
}

function summary(run, number) {
  const best = run.best_ms === null ? "none has worked" : `best ${digits(run.best_ms * 1e3)} µs`;
  return h(
    "p",
    {},
    `${run.count === 1 ? "1 trial" : `${run.count} trials`}, ${best}${run.measured ? "" : " (estimated)"}. `,
    h("a", { href: `/tuning/${number}`, target: "_blank" }, "All of them, with charts"),
  );
}

function table(run, onUse) {
  const { trials, choices } = run;
  const names = Object.keys(trials.points);
  const options = Object.fromEntries(choices.map((choice) => [choice.name, choice.options]));
  const rows = trials.ms
    .map((ms, row) => ({ ms, row }))
    .filter(({ ms }) => ms !== null)
    .sort((a, b) => a.ms - b.ms)
    .slice(0, MOST);
  const value = (name, row) => {
    const at = trials.points[name][row];
    return at === null || at < 0 ? null : (options[name]?.[at] ?? null);
  };
  const use = (row) => {
    const point = names.map((name) => [name, value(name, row)]);
    onUse(Object.fromEntries(point.filter(([, one]) => one !== null)));
  };
  return h(
    "div",
    { class: "trial-scroll", tabindex: "0", role: "region", "aria-label": "Best trials" },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { class: "number" }, "trial"),
          h("th", { class: "number" }, "µs"),
          names.map((name) => h("th", {}, name)),
          h("th", {}, h("span", { class: "visually-hidden" }, "take its choices")),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map(({ ms, row }) =>
          h(
            "tr",
            {},
            h("td", { class: "number" }, trials.number[row]),
            h("td", { class: "number" }, digits(ms * 1e3)),
            names.map((name) => h("td", {}, String(value(name, row) ?? ""))),
            h(
              "td",
              {},
              h(
                "button",
                {
                  class: "button small",
                  "aria-label": `Use trial ${trials.number[row]}`,
                  onclick: () => use(row),
                },
                "Use",
              ),
            ),
          ),
        ),
      ),
    ),
  );
}
