// The whole program as a picture: the payload's ops in the kernels that compute them, with the time,
// the bound and the traffic that each kernel is estimated to have.

import "./style/kernels.css";
import { h } from "../common/dom.js";
import { drawGraph } from "../common/graph.js";
import { digits, percent, time } from "../common/numbers.js";
import { amount } from "./nest_picture.js";

/** The most kernels for which the terms of each estimate are open. */
const SHOWN_TERMS = 4;

/**
 * @param {object} data the page's data, with `nodes`, `kernels`, `arguments` and `results`
 * @param {{onKernel?: (index: number) => void, onNode?: (op: number) => void}} [options]
 * @returns {HTMLElement}
 */
export function drawProgram(data, { onKernel, onNode } = {}) {
  if (!data.kernels) {
    return h("p", { class: "empty" }, "The run ended before there was a program to draw.");
  }
  const graph = drawGraph(graphOf(data), {
    label: "Ops and kernels of the program",
    onGroup: ({ id }) => onKernel?.(Number(id.slice("kernel:".length))),
    onNode: ({ id }) => id.startsWith("op:") && onNode?.(Number(id.slice("op:".length))),
  });
  return h(
    "div",
    { class: "kernel-picture" },
    summary(data),
    graph.element,
    h(
      "ol",
      { class: "kernel-cards" },
      data.kernels.map((kernel, index) => card(kernel, index, data, onKernel, graph)),
    ),
  );
}

/** The time of all kernels; null if one has none. */
function totalTime({ kernels }) {
  if (!kernels.length || kernels.some(({ seconds }) => seconds === null)) return null;
  return kernels.reduce((all, { seconds }) => all + seconds, 0);
}

function summary(data) {
  const total = totalTime(data);
  const { target, note } = data.estimate ?? {};
  const count = data.kernels.length;
  return h(
    "div",
    { class: "program-summary" },
    h(
      "dl",
      { class: "nest-figures" },
      figure("estimated time", total === null ? "unknown" : time(total)),
      figure("launches", digits(count)),
      figure("memory traffic", amount(movedByAll(data))),
      target ? figure("GPU", target) : null,
    ),
    note ? h("p", { class: "program-note" }, `${note[0].toUpperCase()}${note.slice(1)}.`) : null,
  );
}

function figure(label, value) {
  return h("div", { class: "nest-figure" }, h("dt", {}, label), h("dd", {}, value));
}

/** Bytes that a kernel loads and stores, or that a library call touches. */
function moved({ read, written, moved: touched }) {
  return read === null || read === undefined ? (touched ?? null) : read + written;
}

function movedByAll({ kernels }) {
  const all = kernels.map(moved);
  return all.includes(null) ? null : all.reduce((a, b) => a + b, 0);
}

// -- kernels --------------------------------------------------------------------------------------

function card(kernel, index, data, onKernel, graph) {
  const share = shareOf(kernel, data);
  const press = () => {
    graph.select([`kernel:${index}`]);
    onKernel?.(index);
  };
  return h(
    "li",
    { class: "kernel-card" },
    h(
      "button",
      { type: "button", class: "kernel-head", onclick: press },
      h("span", { class: "kernel-name mono" }, `${index + 1}. ${kernel.name}`),
      h(
        "span",
        { class: "kernel-time" },
        kernel.seconds === null ? "time unknown" : time(kernel.seconds),
        share === null || data.kernels.length === 1
          ? null
          : h("span", { class: "nest-soft" }, ` ${percent(share)}`),
      ),
      share === null ? null : shareBar(share),
      h("span", { class: "kernel-facts" }, facts(kernel)),
    ),
    terms(kernel, data.kernels.length),
  );
}

function shareOf({ seconds }, data) {
  const total = totalTime(data);
  return total ? seconds / total : null;
}

function shareBar(share) {
  const part = h("span", { class: "kernel-share-part" });
  part.style.width = `${100 * share}%`;
  return h("span", { class: "kernel-share", "aria-hidden": "true" }, part);
}

function facts(kernel) {
  const list = [];
  const add = (text, tone = "") => list.push(h("span", { class: `badge ${tone}` }, text));
  if (kernel.library) add("library call");
  if (kernel.bound) add(`bound by ${kernel.bound}`);
  const bytes = moved(kernel);
  if (bytes !== null && !(data.estimate && kernel.grid.includes(null)))
    add(`moves ${amount(bytes)}`);
  if (kernel.grid.length) add(`grid ${kernel.grid.join(" × ")}`);
  if (kernel.warps) add(`${count(kernel.warps, "warp")}, ${count(kernel.stages, "stage")}`);
  if (kernel.registers !== undefined) add(`${kernel.registers} registers`);
  if (kernel.spills) add(`spills ${amount(kernel.spills)} a thread`, "bad");
  if (kernel.shared) add(`${amount(kernel.shared)} shared memory`);
  if (kernel.wgmma) add(`${kernel.wgmma} wgmma`);
  if (kernel.tma) add(`${kernel.tma} TMA loads`);
  return list;
}

function count(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** The parts of the estimate: they overlap, so the longest says what the kernel waits for. */
function terms(kernel, kernels) {
  const listed = Object.entries(kernel.terms ?? {}).filter(([, seconds]) => seconds > 0);
  if (!listed.length) return null;
  const most = Math.max(...listed.map(([, seconds]) => seconds));
  return h(
    "details",
    { class: "kernel-terms", open: kernels <= SHOWN_TERMS },
    h("summary", {}, "What the time is made of"),
    h(
      "dl",
      {},
      listed.map(([name, seconds]) => {
        const part = h("span", {
          class: `kernel-term-part ${seconds === most ? "most" : ""}`,
          "aria-hidden": "true",
        });
        part.style.width = `${(100 * seconds) / most}%`;
        return h(
          "div",
          { class: "kernel-term" },
          h("dt", {}, name),
          h("dd", {}, h("span", { class: "kernel-term-bar" }, part), time(seconds)),
        );
      }),
    ),
  );
}

// -- graph ----------------------------------------------------------------------------------------

function graphOf(data) {
  const home = new Map(data.nodes.map((node) => [`op:${node.id}`, node.kernel]));
  const edges = [];
  for (const node of data.nodes) {
    for (const input of node.inputs) {
      const from = sourceId(input);
      const crosses = home.get(from) !== node.kernel || !home.has(from);
      edges.push({ from, to: `op:${node.id}`, label: crosses ? sizeOf(input, data) : "" });
    }
  }
  const used = new Set(edges.map(({ from }) => from));
  data.results.forEach((result, index) => {
    if (result.source === null) return;
    edges.push({
      from: sourceId(result.source),
      to: `result:${index}`,
      label: amount(result.bytes),
    });
    used.add(sourceId(result.source));
  });
  return {
    nodes: [
      ...data.arguments
        .filter(({ name }) => used.has(sourceId(name)))
        .map(({ name, type }) => pill(sourceId(name), name, type)),
      ...data.nodes.map((node) => ({
        id: `op:${node.id}`,
        group: node.kernel === null ? undefined : `kernel:${node.kernel}`,
        label: node.verb,
        detail: `${node.name} ${node.type}`,
      })),
      ...data.results
        .map((result, index) => [result, index])
        .filter(([result]) => result.source !== null)
        .map(([{ name, type }, index]) => pill(`result:${index}`, name, type)),
    ],
    edges,
    groups: data.kernels.map((kernel, index) => ({
      id: `kernel:${index}`,
      label: kernel.name,
      detail: groupDetail(kernel),
      share: shareOf(kernel, data) ?? undefined,
      tone: kernel.spills ? "warn" : "plain",
    })),
  };
}

function pill(id, name, type) {
  return { id, label: name, detail: type, shape: "pill" };
}

function sourceId(input) {
  return typeof input === "number" ? `op:${input}` : `argument:${input}`;
}

function sizeOf(input, data) {
  const found =
    typeof input === "number"
      ? data.nodes.find(({ id }) => id === input)
      : data.arguments.find(({ name }) => name === input);
  return found ? amount(found.bytes) : "";
}

function groupDetail(kernel) {
  const parts = [];
  if (kernel.seconds !== null) parts.push(time(kernel.seconds));
  if (kernel.bound) parts.push(kernel.bound);
  const bytes = moved(kernel);
  if (bytes !== null) parts.push(amount(bytes));
  return parts.join(" · ");
}
