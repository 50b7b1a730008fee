// What stayed in torch and why, and the segments that the compiler refused.

import { h } from "../common/dom.js";
import { placeButton } from "./totals.js";

/**
 * @param {object} facts
 * @param {{onPlace: (file: number, line: number) => void, onTorch: (graph: number, id: string) => void}} on
 */
export function torchTable(facts, { onPlace, onTorch }) {
  const rows = rowsOf(facts.data.graphs);
  const refused = facts.data.graphs.flatMap((graph) =>
    graph.refused.map((line) => h("li", { class: "mono" }, `${graph.title}: ${line}`)),
  );
  return h(
    "section",
    { class: "torch-part", "aria-labelledby": "torch-title" },
    h("h2", { id: "torch-title" }, "In torch"),
    rows.length === 0
      ? h("p", { class: "empty" }, "Nothing stayed in torch.")
      : h(
          "div",
          { class: "scroll", role: "region", tabindex: "0", "aria-label": "Ops in torch" },
          h(
            "table",
            {},
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                ["Op", "Why", "Model line", "Graph"].map((name) => h("th", { scope: "col" }, name)),
                h("th", { scope: "col", class: "number" }, "Times"),
              ),
            ),
            h(
              "tbody",
              {},
              rows.map(({ node, graph, title, times }) =>
                h(
                  "tr",
                  {},
                  h(
                    "td",
                    { class: "mono" },
                    h(
                      "button",
                      { class: "text-link mono", onclick: () => onTorch(graph, node.id) },
                      node.label,
                    ),
                  ),
                  h("td", {}, node.reason || "not said"),
                  h("td", {}, node.place ? placeButton(facts, node.place, onPlace) : ""),
                  h("td", {}, title),
                  h("td", { class: "number" }, times),
                ),
              ),
            ),
          ),
        ),
    refused.length > 0 && [
      h("h3", {}, "Refused segments"),
      h("p", { class: "soft" }, "The compiler makes no kernel for these; torch runs them."),
      h("ul", { class: "refused" }, refused),
    ],
  );
}

/** Equal ops of one line once. */
function rowsOf(graphs) {
  const found = new Map();
  graphs.forEach(({ nodes, title }, graph) => {
    for (const node of nodes) {
      if (node.kind !== "torch") continue;
      const key = JSON.stringify([graph, node.label, node.reason, node.place]);
      const known = found.get(key);
      if (known) known.times += 1;
      else found.set(key, { node, graph, title, times: 1 });
    }
  });
  return [...found.values()];
}
