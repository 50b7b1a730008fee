// Places for the boxes and edges of a graph whose nodes are in groups. The nodes of each group are laid
// out on their own; then the groups, as boxes of the size found, and the free nodes are laid out as one
// graph. So the time grows with the number of groups, not with its product with the nodes of each.

import { Graph, layout } from "@dagrejs/dagre";
import { inRows } from "./graph_rows.js";

export const LABEL = 7; // The width of a character of a label, in px (monospace).
export const SMALL = 6; // The same of a detail.

const PADDING = 12;
const WIDEST = 236;
const MANY = 40; // Above this number of boxes, rows instead of dagre.

/**
 * @typedef {{id: string, group?: string, label: string, detail?: string, tone?: string, shape?: string}} GraphNode
 * @typedef {{from: string, to: string, label?: string}} GraphEdge
 * @typedef {{id: string, label: string, detail?: string, share?: number, tone?: string}} GraphGroup
 * @typedef {{x: number, y: number, width: number, height: number}} Box the corner at the top left
 */

/**
 * @param {{nodes: GraphNode[], edges: GraphEdge[], groups?: GraphGroup[]}} graph
 * @returns {{boxes: Map<string, Box>, paths: object[], width: number, height: number}}
 *   `boxes` by id, of nodes and groups; `paths` are `{from, to, label, points}`
 */
export function placed({ nodes, edges, groups = [] }) {
  const known = new Set(groups.map((group) => group.id));
  const members = new Map(groups.map((group) => [group.id, []]));
  const free = [];
  for (const node of nodes) (known.has(node.group) ? members.get(node.group) : free).push(node);
  const home = new Map(
    nodes.map((node) => [node.id, known.has(node.group) ? node.group : node.id]),
  );
  for (const id of known) home.set(id, id);

  const { inner, outer } = splitEdges(edges, home);
  const rooms = new Map();
  const arrangements = new Map();
  for (const group of groups) {
    const within = inner.get(group.id) ?? [];
    rooms.set(group.id, room(group, members.get(group.id), within, arrangements));
  }
  const sizes = new Map(free.map((node) => [node.id, nodeSize(node)]));
  for (const [id, { width, height }] of rooms) sizes.set(id, { width, height });
  const whole = arranged(sizes, outer, { ranksep: 34, nodesep: 26 });
  const boxes = new Map(whole.boxes);
  const paths = [...whole.paths];
  for (const [id, inside] of rooms) {
    const { x, y } = whole.boxes.get(id);
    for (const [node, box] of inside.boxes) boxes.set(node, { ...box, x: box.x + x, y: box.y + y });
    for (const path of inside.paths) {
      paths.push({ ...path, points: path.points.map((p) => ({ x: p.x + x, y: p.y + y })) });
    }
  }
  return { boxes, paths, width: whole.width, height: whole.height };
}

/** Edges inside a group, by group, and edges between boxes: one for each pair. */
function splitEdges(edges, home) {
  const inner = new Map();
  const outer = new Map();
  for (const edge of edges) {
    const from = home.get(edge.from);
    const to = home.get(edge.to);
    if (from === undefined || to === undefined) continue;
    if (from === to) {
      if (edge.from === from || edge.to === to || edge.from === edge.to) continue;
      inner.set(from, [...(inner.get(from) ?? []), edge]);
      continue;
    }
    const key = JSON.stringify([from, to]);
    const known = outer.get(key);
    if (known) known.labels.push(edge.label);
    else outer.set(key, { from, to, labels: [edge.label] });
  }
  const joined = [...outer.values()].map(({ from, to, labels }) => ({
    from,
    to,
    label: joinedLabel(labels.filter(Boolean)),
  }));
  return { inner, outer: joined };
}

function joinedLabel(labels) {
  const different = [...new Set(labels)];
  return different.length > 1 ? `${different[0]} and ${different.length - 1} more` : different[0];
}

/** The height of a group's head: label, detail, share. */
export function headHeight(group) {
  return 28 + (group.detail ? 16 : 0) + (hasShare(group) ? 12 : 0);
}

export function hasShare(group) {
  return typeof group.share === "number" && Number.isFinite(group.share);
}

function room(group, nodes, edges, arrangements) {
  const head = headHeight(group);
  const wanted = Math.max(
    textWidth(group.label, LABEL) + (hasShare(group) ? 44 : 0),
    textWidth(group.detail, SMALL),
  );
  const wide = Math.min(WIDEST, Math.max(120, wanted + 2 * PADDING));
  if (nodes.length === 0) {
    return { boxes: new Map(), paths: [], width: wide, height: head + 4 };
  }
  const sizes = new Map(nodes.map((node) => [node.id, nodeSize(node)]));
  const inside = arranged(sizes, edges, { ranksep: 18, nodesep: 14 }, arrangements);
  const width = Math.max(wide, inside.width + 2 * PADDING);
  const left = (width - inside.width) / 2;
  const shift = (point) => ({ ...point, x: point.x + left, y: point.y + head + 2 });
  return {
    boxes: new Map([...inside.boxes].map(([id, box]) => [id, shift(box)])),
    paths: inside.paths.map((path) => ({ ...path, points: path.points.map(shift) })),
    width,
    height: inside.height + head + PADDING,
  };
}

function nodeSize(node) {
  const wanted = Math.max(textWidth(node.label, LABEL), textWidth(node.detail, SMALL));
  return {
    width: Math.min(WIDEST - 2 * PADDING, Math.max(52, wanted + 20)),
    height: node.detail ? 38 : 26,
  };
}

function textWidth(text, character) {
  return (text ?? "").length * character;
}

/** Boxes by id, and paths as points; the whole begins at (0, 0). */
function arranged(sizes, edges, gaps, known = new Map()) {
  if (isChain(sizes, edges)) return stacked(sizes, edges, gaps);
  const key = signature(sizes, edges);
  if (!known.has(key)) known.set(key, arrangedAnew(sizes, edges, gaps));
  return renamed(known.get(key), [...sizes.keys()]);
}

/** Equal layers have equal kernels: what decides the places, without the names. */
function signature(sizes, edges) {
  const number = numbered(sizes);
  return JSON.stringify([
    [...sizes.values()].map(({ width, height }) => [width, height]),
    edges.map(({ from, to, label }) => [number.get(from), number.get(to), label]),
  ]);
}

function numbered(sizes) {
  return new Map([...sizes.keys()].map((id, index) => [id, index]));
}

function renamed({ boxes, paths, width, height }, ids) {
  const named = paths.map((path) => ({ ...path, from: ids[path.from], to: ids[path.to] }));
  return {
    boxes: new Map(boxes.map((box, index) => [ids[index], box])),
    paths: named,
    width,
    height,
  };
}

/** Boxes in order and paths, both by number. */
function arrangedAnew(sizes, edges, gaps) {
  const number = numbered(sizes);
  const links = edges.map(({ from, to, label }) => ({
    from: number.get(from),
    to: number.get(to),
    label,
  }));
  return (sizes.size > MANY ? inRows : byDagre)([...sizes.values()], links, gaps);
}

function byDagre(sizes, edges, { ranksep, nodesep }) {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", ranksep, nodesep });
  sizes.forEach(({ width, height }, index) => {
    graph.setNode(String(index), { width, height });
  });
  edges.forEach(({ from, to, label }, index) => {
    graph.setEdge(String(from), String(to), { label }, String(index));
  });
  layout(graph);
  const boxes = sizes.map((_, index) => {
    const { x, y, width, height } = graph.node(String(index));
    return { x: x - width / 2, y: y - height / 2, width, height };
  });
  const paths = graph.edges().map((edge) => {
    const { points, label } = graph.edge(edge);
    return { from: Number(edge.v), to: Number(edge.w), label, points };
  });
  const { width, height } = graph.graph();
  return { boxes, paths, width: width || 0, height: height || 0 };
}

function isChain(sizes, edges) {
  const ids = [...sizes.keys()];
  return (
    edges.length === ids.length - 1 &&
    edges.every(({ from, to }, index) => from === ids[index] && to === ids[index + 1])
  );
}

/** One box below the other. */
function stacked(sizes, edges, { ranksep }) {
  const width = Math.max(...[...sizes.values()].map((size) => size.width));
  const boxes = new Map();
  let y = 0;
  for (const [id, size] of sizes) {
    boxes.set(id, { ...size, x: (width - size.width) / 2, y });
    y += size.height + ranksep;
  }
  const paths = edges.map((edge) => {
    const [from, to] = [boxes.get(edge.from), boxes.get(edge.to)];
    const points = [
      { x: width / 2, y: from.y + from.height },
      { x: width / 2, y: to.y },
    ];
    return { ...edge, points };
  });
  return { boxes, paths, width, height: y - ranksep };
}
