// A graph whose nodes are in groups, as an SVG that the reader can move and scale: ops in kernels.

import { h, s } from "./dom.js";
import { hasShare, headHeight, LABEL, placed, SMALL } from "./graph_layout.js";
import { panZoom } from "./pan_zoom.js";
import "./graph.css";

let graphs = 0;

/**
 * Draws a graph.
 *
 * `group` of a node is the id of its group; a node without one is free. Edges go from a node or group to
 * another; those between groups are drawn once for each pair. `share` (0 to 1) is a group's part of the
 * time; `tone` is good, warn, bad or plain; `shape: "pill"` marks arguments and results.
 * @param {{nodes: import("./graph_layout.js").GraphNode[],
 *   edges: import("./graph_layout.js").GraphEdge[],
 *   groups?: import("./graph_layout.js").GraphGroup[]}} graph
 * @param {{onGroup?: (group: object) => void, onNode?: (node: object) => void, label?: string}} [options]
 * @returns {{element: HTMLElement, select: (ids: string[]) => void, fit: (whole?: boolean) => void}}
 */
export function drawGraph(graph, { onGroup, onNode, label = "Graph" } = {}) {
  const { boxes, paths, width, height } = placed(graph);
  const arrow = `graph-arrow-${graphs++}`;
  const shapes = new Map();
  const edges = paths.map((path) => edgeShape(path, arrow));
  const groups = (graph.groups ?? []).map((group) => {
    const shape = groupShape(group, boxes.get(group.id), onGroup);
    shapes.set(group.id, shape);
    return shape;
  });
  const nodes = graph.nodes.map((node) => {
    const shape = nodeShape(node, boxes.get(node.id), onNode);
    shapes.set(node.id, shape);
    return shape;
  });
  const content = s("g", {}, groups, s("g", { "aria-hidden": "true" }, edges), nodes);
  const svg = s(
    "svg",
    { class: "graph-drawing", role: "group", "aria-label": label, tabindex: "0" },
    s("defs", {}, arrowHead(arrow)),
    content,
  );
  const view = panZoom(svg, content, { width, height });
  const element = h("div", { class: "graph" }, svg, tools(view));
  fitWhenShown(svg, view);
  svg.addEventListener("focusin", (event) => {
    const box = boxes.get(event.target.dataset?.id);
    if (box && event.target.matches(":focus-visible")) view.reveal(box);
  });
  return { element, fit: view.fit, select: selection(shapes, edges, boxes, view) };
}

/** Marks nodes and groups, and the edges at them. */
function selection(shapes, edges, boxes, view) {
  let marked = [];
  return (ids) => {
    for (const shape of marked) shape.classList.remove("selected");
    for (const id of shapes.keys()) shapes.get(id).removeAttribute("aria-current");
    const wanted = new Set(ids);
    marked = [...wanted].flatMap((id) => shapes.get(id) ?? []);
    for (const shape of marked) shape.setAttribute("aria-current", "true");
    marked.push(...edges.filter(({ dataset: d }) => wanted.has(d.from) || wanted.has(d.to)));
    for (const shape of marked) shape.classList.add("selected");
    const first = ids.find((id) => boxes.has(id));
    if (first !== undefined) view.reveal(boxes.get(first));
  };
}

// An element has no size before it is in the page.
function fitWhenShown(svg, view) {
  let width = 0;
  new ResizeObserver(() => {
    const now = svg.clientWidth;
    if (now !== width && now > 0) {
      width = now;
      view.fit();
    }
  }).observe(svg);
}

function tools(view) {
  const button = (sign, title, run) =>
    h("button", { class: "icon-button", title, "aria-label": title, onclick: run }, sign);
  return h(
    "div",
    { class: "graph-tools" },
    button("+", "Zoom in", () => view.zoom(1.25)),
    button("−", "Zoom out", () => view.zoom(0.8)),
    button("↔", "Fit to the width", () => view.fit()),
    button("⤢", "Show all", () => view.fit(true)),
  );
}

function groupShape(group, box, onGroup) {
  const { x, y, width } = box;
  const share = hasShare(group) ? Math.min(1, Math.max(0, group.share)) : null;
  const percent = share === null ? "" : percentText(share);
  const room = width - 20 - (percent ? 36 : 0);
  const base = y + headHeight(group);
  return s(
    "g",
    {
      class: `graph-group ${toneClass(group.tone)}`,
      ...asButton(group, onGroup),
    },
    titled(group.label, group.detail, percent && `${percent} of the time`),
    s("rect", { class: "graph-box", ...box, rx: 7 }),
    text("graph-label", x + 10, y + 19, group.label, room, LABEL),
    percent && s("text", { class: "graph-share-text", x: x + width - 10, y: y + 19 }, percent),
    text("graph-detail", x + 10, y + 36, group.detail, width - 20, SMALL),
    share !== null && [
      s("rect", {
        class: "graph-share-track",
        x: x + 10,
        y: base - 10,
        width: width - 20,
        height: 4,
        rx: 2,
      }),
      s("rect", {
        class: "graph-share",
        x: x + 10,
        y: base - 10,
        width: (width - 20) * share,
        height: 4,
        rx: 2,
      }),
    ],
  );
}

function nodeShape(node, box, onNode) {
  const { x, y, width, height } = box;
  const middle = x + width / 2;
  const line = node.detail ? y + 16 : y + height / 2 + 4;
  return s(
    "g",
    {
      class: `graph-node ${toneClass(node.tone)}`,
      ...asButton(node, onNode),
    },
    titled(node.label, node.detail),
    s("rect", { class: "graph-box", ...box, rx: node.shape === "pill" ? height / 2 : 4 }),
    text("graph-label", middle, line, node.label, width - 12, LABEL),
    text("graph-detail", middle, y + 30, node.detail, width - 12, SMALL),
  );
}

/** One digit after the point for a small share. */
function percentText(share) {
  return share < 0.1 ? `${Number((100 * share).toFixed(1))}%` : `${Math.round(100 * share)}%`;
}

function toneClass(tone) {
  return ["good", "warn", "bad"].includes(tone) ? tone : "plain";
}

/** All that a box says, uncut: the tooltip, and the name that a screen reader reads. */
function titled(...says) {
  return s("title", {}, says.filter(Boolean).join("\n"));
}

function asButton(item, run) {
  const known = { dataset: { id: item.id } };
  if (!run) return known;
  return {
    ...known,
    role: "button",
    tabindex: "0",
    onclick: () => run(item),
    onkeydown: (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      run(item);
    },
  };
}

/** A text, cut to a width; the title has all of it. */
function text(className, x, y, whole, width, character) {
  if (!whole) return null;
  const most = Math.max(1, Math.floor(width / character));
  const shown = whole.length > most ? `${whole.slice(0, most - 1)}…` : whole;
  return s("text", { class: className, x, y }, shown);
}

function arrowHead(id) {
  return s(
    "marker",
    {
      id,
      viewBox: "0 0 8 8",
      refX: 7,
      refY: 4,
      markerWidth: 7,
      markerHeight: 7,
      markerUnits: "userSpaceOnUse",
      orient: "auto-start-reverse",
    },
    s("path", { class: "graph-arrow", d: "M0,0.5 L8,4 L0,7.5 z" }),
  );
}

function edgeShape({ from, to, label, points, lane }, arrow) {
  const middle = points[Math.floor(points.length / 2)];
  return s(
    "g",
    { class: "graph-edge", dataset: { from, to } },
    s("path", {
      d: lane ? rounded(points) : smooth(points),
      fill: "none",
      "marker-end": `url(#${arrow})`,
    }),
    label && s("text", { class: "graph-edge-label", x: middle.x + 6, y: middle.y + 4 }, label),
  );
}

/** A path through points without corners: straight to the middle of each piece, curved between. */
function smooth(points) {
  const at = ({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`;
  const between = (a, b) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
  let path = `M${at(points[0])}`;
  for (let index = 1; index < points.length - 1; index += 1) {
    const isLast = index === points.length - 2;
    const end = isLast ? points[index + 1] : between(points[index], points[index + 1]);
    path += ` Q${at(points[index])} ${at(end)}`;
  }
  return points.length === 2 ? `${path} L${at(points[1])}` : path;
}

/** A path along a lane, with round corners. */
function rounded([start, first, , last, end]) {
  const r = Math.min(8, Math.abs(last.y - first.y) / 2);
  const down = last.y >= first.y ? r : -r;
  return (
    `M${start.x},${start.y} H${first.x - r} Q${first.x},${first.y} ${first.x},${first.y + down} ` +
    `V${last.y - down} Q${last.x},${last.y} ${last.x - r},${last.y} H${end.x}`
  );
}
