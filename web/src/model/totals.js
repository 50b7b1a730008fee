// The top of the page: what the model costs, and where Dynamo cut it.

import { h } from "../common/dom.js";
import { bytes, flops, time } from "../common/numbers.js";

/** Cards with the totals, and the graph breaks. */
export function totalsView(facts, onPlace) {
  const { totals, graphs, target } = facts.data;
  const ops = totals.fused_ops + totals.torch_ops;
  const breaks = graphs.filter((graph) => graph.ended_by);
  return [
    h(
      "ul",
      { class: "totals", "aria-label": "Totals" },
      card(time(totals.kernels ? totals.seconds : null), timeSays(totals), target),
      card(
        String(totals.kernels),
        totals.kernels === 1 ? "kernel" : "kernels",
        totals.sorts < totals.kernels ? `${totals.sorts} different` : `of ${ops} ops`,
      ),
      card(
        facts.percent(ops ? totals.torch_ops / ops : 0),
        "of the ops in torch",
        `${totals.torch_ops} of ${ops}`,
        totals.torch_ops ? "warn" : "good",
      ),
      card(
        String(breaks.length),
        breaks.length === 1 ? "graph break" : "graph breaks",
        `${graphs.length} ${graphs.length === 1 ? "graph" : "graphs"}`,
        breaks.length ? "warn" : "good",
      ),
      card(flops(totals.flops), "of arithmetic", `${bytes(totals.bytes)} moved at least`),
    ),
    breaks.length > 0 && breakList(facts, breaks, onPlace),
  ];
}

function timeSays(totals) {
  if (!totals.kernels) return "no kernel to time";
  const unknown = totals.unknown ? `, ${totals.unknown} not measured` : "";
  return totals.measured ? `measured${unknown}` : "estimated, not measured";
}

function card(figure, says, more, tone = "") {
  return h(
    "li",
    { class: `total ${tone}` },
    h("strong", {}, figure),
    h("span", {}, says),
    h("small", { title: more }, more),
  );
}

function breakList(facts, breaks, onPlace) {
  return h(
    "section",
    { class: "breaks", "aria-labelledby": "breaks-title" },
    h("h2", { id: "breaks-title" }, "Graph breaks"),
    h(
      "p",
      { class: "soft" },
      "Dynamo ends a graph here. No kernel fuses ops of two graphs, and their tensors go through memory.",
    ),
    h(
      "ul",
      {},
      breaks.map(({ title, ended_by: { reason, hints, place } }) =>
        h(
          "li",
          {},
          h("strong", {}, `After ${title.toLowerCase()}: `),
          reason,
          place && [" ", placeButton(facts, place, onPlace)],
          hints.length > 0 &&
            h(
              "details",
              {},
              h("summary", {}, "What to do"),
              h(
                "ul",
                {},
                hints.map((hint) => h("li", {}, hint)),
              ),
            ),
        ),
      ),
    ),
  );
}

/** A place of the model that leads to its line. */
export function placeButton(facts, place, onPlace) {
  return h(
    "button",
    { class: "text-link mono", onclick: () => onPlace(place[0], place[1]) },
    facts.place(place),
  );
}
