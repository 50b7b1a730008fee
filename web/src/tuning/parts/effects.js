// Which choice earned what: the effect of each option with its interval, pairs, the measured facts.

import { h, replace } from "../../common/dom.js";
import { percent } from "../../common/numbers.js";
import { createChart } from "../charts.js";
import { ms } from "../model.js";
import { choose, empty, notExplained, section } from "../section.js";

const PAIRS = 6;

/** @param {import("../view.js").Context} context */
export function effects(context) {
  let shows = "effects";
  const body = h("div", {});
  const tools = h("div", { class: "tools" });
  const chart = createChart({
    height: 320,
    option: (look) => option(context.model.run.findings.effects, look),
    label: () => "How much slower each option is than the best of its choice, with 95% intervals.",
  });
  const { element } = section({ id: "effects", title: "What each choice earned", tools }, body);
  function draw() {
    const findings = context.model.run.findings;
    if (!findings) {
      replace(tools);
      replace(body, notExplained(context.model));
      return;
    }
    replace(
      tools,
      choose(
        "What is shown",
        [
          ["effects", "Effects"],
          ["winner", "At the winner"],
          ["pairs", "Pairs"],
        ],
        shows,
        (value) => {
          shows = value;
          drawBody();
        },
      ),
    );
    drawBody();
  }
  function drawBody() {
    const { model } = context;
    const { effects: found, no_effects_because: reason } = model.run.findings;
    if (shows === "winner") {
      replace(body, atWinner(context));
      return;
    }
    if (!found) {
      replace(body, empty(`No effects: ${reason}.`));
      return;
    }
    if (shows === "pairs") {
      replace(body, pairs(found));
      return;
    }
    const options = found.choices.reduce((sum, one) => sum + one.options.length, 0);
    chart.element.style.height = `${60 + 19 * options}px`;
    replace(body, chart.element, effectsNote(found), table(found));
    chart.draw();
  }
  return { element, draw };
}

function effectsNote(found) {
  return h(
    "p",
    { class: "note" },
    `Slower than the best option of the choice, the others equal; bars are 95% intervals. A model of ${found.trials} trials, which predicts ${percent(found.held_out_share)} of the variation between trials it has not seen.`,
  );
}

const slower = (value) =>
  value === null ? "–" : `${value >= 0 ? "+" : ""}${(100 * value).toFixed(1)}%`;
const between = ({ low, high }) =>
  low === null || high === null ? "–" : `${slower(low)} to ${slower(high)}`;

/** The same as a table, for people who read numbers, and for screen readers. */
function table(found) {
  return h(
    "details",
    {},
    h("summary", {}, "As a table"),
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Effects as a table" },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          headRow(["choice", "share of variance", "option", "slower by", "95% interval"]),
        ),
        h(
          "tbody",
          {},
          found.choices.flatMap((choice) =>
            choice.options.map((one, place) =>
              h(
                "tr",
                {},
                h("td", { class: "mono" }, place ? "" : choice.name),
                h("td", { class: "number" }, place ? "" : percent(choice.share.value)),
                h("td", { class: "mono" }, one.value),
                h("td", { class: "number" }, slower(one.slowdown.value)),
                h("td", { class: "number" }, between(one.slowdown)),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

function headRow(names) {
  return h(
    "tr",
    {},
    names.map((name, place) =>
      h("th", { scope: "col", class: place === 1 || place > 2 ? "number" : null }, name),
    ),
  );
}

/** Dots and whiskers, a line for each option, the choices that matter most at the top. */
function option(found, look) {
  const lines = [];
  for (const choice of found.choices) {
    for (const one of choice.options) lines.push({ choice, one });
  }
  const names = lines.map(({ choice, one }) => `${choice.name}=${one.value}`);
  const clean = (value) => 100 * (value ?? 0);
  const data = lines.map(({ one }, place) => [
    clean(one.slowdown.value),
    place,
    clean(one.slowdown.low ?? one.slowdown.value),
    clean(one.slowdown.high ?? one.slowdown.value),
  ]);
  // One wide interval must not squeeze all others.
  const values = data.map((row) => row[0]);
  const most = Math.max(10, 1.6 * Math.max(...values));
  const least = Math.max(-0.3 * most, Math.min(0, ...data.map((row) => row[2])));
  return {
    grid: { left: 150, right: 16, top: 8, bottom: 40 },
    xAxis: look.axis({
      type: "value",
      min: Math.floor(least),
      max: Math.ceil(Math.min(most, Math.max(...data.map((row) => row[3])) * 1.05 || 10)),
      name: "slower than the best option, %",
      nameLocation: "middle",
      nameGap: 26,
    }),
    yAxis: look.axis({
      type: "category",
      inverse: true,
      data: names,
      splitLine: { show: false },
      axisLabel: { color: look.text, width: 140, overflow: "truncate", interval: 0 },
    }),
    tooltip: {
      ...look.tooltip,
      formatter: ({ dataIndex }) => {
        const { choice, one } = lines[dataIndex];
        return `${names[dataIndex]}: ${slower(one.slowdown.value)} (${between(one.slowdown)})\n${choice.name} decides ${percent(choice.share.value)} of the variance`;
      },
    },
    series: [
      {
        type: "custom",
        clip: true,
        data,
        encode: { x: [0, 2, 3], y: 1 },
        renderItem: (_, api) => {
          const [x, y] = api.coord([api.value(0), api.value(1)]);
          const [low] = api.coord([api.value(2), api.value(1)]);
          const [high] = api.coord([api.value(3), api.value(1)]);
          const isBest = api.value(0) <= 0;
          const fill = isBest ? look.series[2] : look.series[0];
          return {
            type: "group",
            children: [
              {
                type: "line",
                shape: { x1: low, y1: y, x2: high, y2: y },
                style: { stroke: fill, lineWidth: 2, opacity: 0.55 },
              },
              { type: "circle", shape: { cx: x, cy: y, r: 4.5 }, style: { fill } },
            ],
          };
        },
      },
    ],
  };
}

/** What each option costs if only it changes at the winner, and the best trial with it: measured. */
function atWinner(context) {
  const { model } = context;
  const found = model.run.findings.choices.filter((one) => one.options.length > 1);
  if (!found.length) return empty("The schedule has no open choices.");
  return [
    h(
      "div",
      {
        class: "scroll tall",
        tabindex: "0",
        role: "region",
        "aria-label": "Options at the winner",
      },
      h(
        "table",
        { class: "wide-table" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["choice", "option", "at the winner", "best with it", "behind", "tried", "failed"].map(
              (name, place) => h("th", { scope: "col", class: place > 1 ? "number" : null }, name),
            ),
          ),
        ),
        h(
          "tbody",
          {},
          found.flatMap((choice) =>
            choice.options.map((one, place) => {
              const isWinner = String(one.value) === String(choice.winner);
              return h(
                "tr",
                { class: place ? null : "first" },
                h("td", { class: "mono" }, place ? "" : choice.name),
                h(
                  "td",
                  { class: "mono" },
                  one.value,
                  isWinner ? h("span", { class: "badge good" }, "winner") : null,
                ),
                h("td", { class: "number" }, one.at_winner === null ? "–" : slower(one.at_winner)),
                h("td", { class: "number" }, ms(one.best_ms)),
                h("td", { class: "number" }, one.behind === null ? "–" : slower(one.behind)),
                h("td", { class: "number" }, one.tried),
                h("td", { class: "number" }, one.failed || ""),
              );
            }),
          ),
        ),
      ),
    ),
    h(
      "p",
      { class: "note" },
      "At the winner: the measured point that differs from the winner in this option only. – : no such trial has a time.",
    ),
  ];
}

function pairs(found) {
  const shown = found.pairs.filter((pair) => pair.cells.length).slice(0, PAIRS);
  if (!shown.length) return empty("No two choices decide anything together.");
  return [
    h(
      "ul",
      { class: "pair-list" },
      shown.map((pair) => {
        const worst = pair.cells[0];
        const best = pair.cells.at(-1);
        return h(
          "li",
          {},
          h("span", { class: "mono" }, `${pair.first} × ${pair.second}`),
          h("span", { class: "soft" }, `${percent(pair.share.value)} of the variance`),
          h(
            "span",
            {},
            `${pair.first}=${worst.first} with ${pair.second}=${worst.second}: ${slower(worst.slowdown.value)} (${between(worst.slowdown)}); ${pair.first}=${best.first} with ${pair.second}=${best.second}: ${slower(best.slowdown.value)} (${between(best.slowdown)})`,
          ),
        );
      }),
    ),
    h("p", { class: "note" }, "Beyond what the two choices do alone; 95% intervals in brackets."),
  ];
}
