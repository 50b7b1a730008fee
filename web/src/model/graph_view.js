// The graphs of a model: a tab for each, kernels as groups of ops.

import { h, replace } from "../common/dom.js";
import { drawGraph } from "../common/graph.js";
import { time } from "../common/numbers.js";
import { tabs } from "../common/tabs.js";

const HOLDER = "graph-holder";
const MANY = 24; // Above this number of kernels, they begin as one box each.
const NEAR = 0.6; // This share of the ceiling is good.
const MOST_RESULTS = 4;

/**
 * @param {object} facts
 * @param {{onKernel: (index: number) => void, onTorch: (graph: number, id: string) => void}} on
 */
export function graphView(facts, on) {
  const { graphs, kernels } = facts.data;
  const holder = h("div", {
    id: HOLDER,
    class: "graph-holder",
    role: graphs.length > 1 && "tabpanel",
    "aria-label": graphs.length > 1 && "Graph",
  });
  const choice = tabs({ label: "Graphs", panel: HOLDER, onChoose: (id) => show(Number(id)) });
  choice.set(graphs.map((graph, index) => ({ id: String(index), label: graph.title })));
  const expand = h(
    "button",
    {
      class: "button small",
      "aria-pressed": "false",
      onclick: () => toggle(),
    },
    "Show the ops",
  );
  let shown = 0;
  let isOpen = false;
  let drawn = null;
  let selected = { kernels: [], torch: null };

  const draw = () => {
    const graph = graphs[shown];
    if (graph.nodes.every((node) => node.kind !== "op" && node.kind !== "torch")) {
      drawn = null;
      replace(holder, h("p", { class: "empty" }, "This graph computes nothing."));
      return;
    }
    drawn = drawGraph(picture(facts, shown, isOpen), {
      label: `${graph.title} graph: arrow keys move it, plus and minus scale it`,
      onGroup: ({ kernel }) => on.onKernel(kernel),
      onNode: (node) => {
        if (node.kernel !== undefined) on.onKernel(node.kernel);
        else if (node.torch) on.onTorch(shown, node.torch);
      },
    });
    replace(holder, drawn.element);
    mark();
  };
  const mark = () => {
    const ids = selected.kernels.map((index) => `kernel ${index}`);
    if (selected.torch?.graph === shown) ids.push(selected.torch.id);
    drawn?.select(ids);
  };
  const show = (index) => {
    shown = index;
    isOpen = kernels.filter((kernel) => kernel.graph === index).length <= MANY;
    update();
  };
  const toggle = () => {
    isOpen = !isOpen;
    update();
  };
  const update = () => {
    choice.choose(String(shown));
    expand.setAttribute("aria-pressed", String(isOpen));
    draw();
  };
  const element = h(
    "section",
    { class: "graph-part", "aria-labelledby": "graph-title" },
    h(
      "div",
      { class: "part-head" },
      h("h2", { id: "graph-title" }, "Graph"),
      graphs.length > 1 && choice.element,
      expand,
    ),
    holder,
    legend(),
  );
  show(0);
  return {
    element,
    toggle,
    /** Marks kernels, and one op in torch; goes to the graph that has them. */
    select(indices, torch = null) {
      selected = { kernels: indices, torch };
      const graph = torch ? torch.graph : indices.length ? kernels[indices[0]].graph : shown;
      const isHere = torch ? true : indices.some((index) => kernels[index].graph === shown);
      if (graph !== shown && !(isHere && !torch)) show(graph);
      else mark();
    },
  };
}

function legend() {
  const entry = (tone, text) =>
    h("li", {}, h("span", { class: `model-swatch ${tone}`, "aria-hidden": "true" }), text);
  return h(
    "ul",
    { class: "model-legend" },
    entry("plain", "kernel"),
    entry("good", "kernel at 60% of its ceiling or more"),
    entry("warn", "op that stayed in torch"),
  );
}

/** Nodes, edges and groups to draw. */
function picture(facts, graph, isOpen) {
  const { nodes } = facts.data.graphs[graph];
  const isShown = (node) => node.kind !== "weight" && node.kind !== "saved";
  const drawn = nodes
    .filter((node) => isShown(node) && (isOpen || node.kind !== "op"))
    .flatMap(drawnNodes);
  const edges = edgesOf(nodes, isOpen);
  const used = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const needed = drawn.filter((node) => node.shape !== "pill" || used.has(node.id));
  return {
    nodes: fewResults(needed, edges),
    edges,
    groups: facts.data.kernels.flatMap((kernel, index) =>
      kernel.graph === graph ? [group(facts, kernel, index)] : [],
    ),
  };
}

/** An op that several kernels compute is drawn in each, and they are linked in order. */
function edgesOf(nodes, isOpen) {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const idIn = (node, kernel) => {
    if (kernel === null) return node.id;
    return isOpen ? opId(node, kernel) : `kernel ${kernel}`;
  };
  return nodes.flatMap((node) => {
    const homes = node.kernels?.length ? node.kernels : [null];
    const links = homes.slice(1).map((kernel, at) => ({
      from: idIn(node, homes[at]),
      to: idIn(node, kernel),
    }));
    const reads = homes.flatMap((kernel) =>
      node.inputs
        .flatMap((id) => known.get(id) ?? [])
        .map((read) => ({ from: idIn(read, latest(read, kernel)), to: idIn(node, kernel) })),
    );
    return [...links, ...reads];
  });
}

/** The last kernel of a node that is not after one that reads it. */
function latest(node, reader) {
  if (!node.kernels?.length) return null;
  return node.kernels.filter((one) => reader === null || one <= reader).at(-1) ?? node.kernels[0];
}

function opId(node, kernel) {
  return `${node.id} in ${kernel}`;
}

function drawnNodes(node) {
  const { id, label, type } = node;
  if (node.kind === "torch") {
    return [{ id, label, detail: `in torch: ${node.reason}`, tone: "warn", torch: id }];
  }
  if (node.kind === "op") {
    return node.kernels.map((kernel) => ({
      id: opId(node, kernel),
      group: `kernel ${kernel}`,
      kernel,
      label,
      detail: type,
    }));
  }
  return [{ id, label, detail: type, shape: "pill" }];
}

/** A forward graph saves many results for the backward graph: they become one. */
function fewResults(nodes, edges) {
  const results = nodes.filter((node) => node.id.startsWith("result "));
  if (results.length <= MOST_RESULTS) return nodes;
  const ids = new Set(results.map((node) => node.id));
  for (const edge of edges) if (ids.has(edge.to)) edge.to = "results";
  const label = `${results.length} results`;
  return [
    ...nodes.filter((node) => !ids.has(node.id)),
    { id: "results", label, detail: "", shape: "pill" },
  ];
}

function group(facts, kernel, index) {
  const parts = [
    `#${index + 1}`,
    kernel.seconds === null ? "" : time(kernel.seconds),
    kernel.bound,
  ];
  return {
    id: `kernel ${index}`,
    kernel: index,
    label: facts.title(kernel),
    detail: parts.filter(Boolean).join(" · "),
    share: facts.share(kernel.seconds),
    tone: (kernel.ceiling ?? 0) >= NEAR ? "good" : "plain",
  };
}
