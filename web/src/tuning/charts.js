// Charts: drawn when they are seen first, and again when their data, size or colours change.

import { CustomChart, LineChart, ParallelChart, ScatterChart } from "echarts/charts";
import {
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  ParallelComponent,
  TooltipComponent,
  VisualMapComponent,
} from "echarts/components";
import { init, use } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import { h } from "../common/dom.js";
import { colour } from "../common/theme.js";

use([
  CanvasRenderer,
  CustomChart,
  GridComponent,
  LegendComponent,
  LineChart,
  MarkLineComponent,
  ParallelChart,
  ParallelComponent,
  ScatterChart,
  TooltipComponent,
  VisualMapComponent,
]);

const FONT = "12px system-ui, sans-serif";

/**
 * A chart that is drawn when it comes into view.
 * @param {{option: (look: Look) => object | null, label: () => string, height?: number,
 *   onready?: (chart: any) => void}} parts
 *   `option` gives what ECharts is told; `label` says the chart in words
 */
export function createChart({ option, label, height = 300, onready = () => {} }) {
  const element = h("div", { class: "chart", role: "img", "aria-label": "a chart" });
  element.style.height = `${height}px`;
  let chart = null;
  let isSeen = false;
  let isStale = true;

  function draw() {
    isStale = true;
    if (!isSeen) return;
    isStale = false;
    element.setAttribute("aria-label", label());
    if (chart === null) {
      chart = init(element);
      onready(chart);
    }
    chart.setOption({ animation: false, ...option(look()) }, { notMerge: true });
  }

  new IntersectionObserver(
    (entries) => {
      isSeen = entries.some((entry) => entry.isIntersecting);
      if (isSeen && isStale) draw();
    },
    { rootMargin: "200px" },
  ).observe(element);
  new ResizeObserver(() => chart?.resize()).observe(element);
  addEventListener("themechange", draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  return { element, draw };
}

/** The colours and the parts that all charts have in common. */
function look() {
  const names = ["text", "text-soft", "line", "raised", "accent", "bad", "fast", "middle", "slow"];
  const colours = Object.fromEntries(names.map((name) => [name, colour(name)]));
  const series = [1, 2, 3, 4, 5, 6].map((number) => colour(`series-${number}`));
  return {
    ...colours,
    series,
    tooltip: {
      renderMode: "richText",
      backgroundColor: colours.raised,
      borderColor: colours.line,
      textStyle: { color: colours.text, fontSize: 12 },
      confine: true,
    },
    /** An axis with its name, in the page's colours. */
    axis: (more) => ({
      nameTextStyle: { color: colours["text-soft"] },
      axisLabel: { color: colours["text-soft"], font: FONT, hideOverlap: true },
      axisLine: { lineStyle: { color: colours.line } },
      axisTick: { lineStyle: { color: colours.line } },
      splitLine: { lineStyle: { color: colours.line, opacity: 0.6 } },
      ...more,
    }),
  };
}

/** @typedef {ReturnType<typeof look>} Look */
