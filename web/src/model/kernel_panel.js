// The panel of what was selected: a kernel, a line of the model, or an op in torch.

import { copyButton } from "../common/copy.js";
import { h, replace } from "../common/dom.js";
import { bytes, flops } from "../common/numbers.js";
import { lineKey } from "./facts.js";
import { kernelTexts } from "./kernel_texts.js";
import { placeButton } from "./totals.js";

/**
 * @param {object} facts
 * @param {{onKernel: (index: number) => void, onPlace: (file: number, line: number) => void}} on
 */
export function kernelPanel(facts, on) {
  const element = h("section", { class: "panel kernel-panel", "aria-label": "Selected" });
  const texts = kernelTexts(facts);
  return {
    element,
    nothing() {
      const says = facts.data.kernels.length
        ? "Select a kernel in the graph, the source or the table to see its plan, its steps and its code."
        : "Nothing to open: the model has no kernels.";
      replace(element, h("p", { class: "empty" }, says));
    },
    kernel(index) {
      const kernel = facts.data.kernels[index];
      replace(
        element,
        kernelHead(facts, kernel, index, on.onKernel),
        h(
          "div",
          { class: "model-kernel-facts" },
          figures(facts, kernel),
          opsAndLines(facts, kernel, on.onPlace),
        ),
        texts.element,
      );
      texts.show(index);
    },
    line(file, line) {
      const found = facts.lines.get(lineKey(file, line));
      const kernels = found?.kernels ?? [];
      replace(
        element,
        h(
          "div",
          { class: "panel-head" },
          h("h2", { class: "mono" }, facts.place([file, line])),
          h(
            "span",
            { class: "badge" },
            `${kernels.length} ${kernels.length === 1 ? "kernel" : "kernels"}`,
          ),
          found && h("span", { class: "badge" }, facts.time(found.seconds)),
          found?.torch > 0 && h("span", { class: "badge warn" }, `${found.torch} in torch`),
        ),
        h("pre", { class: "line-text" }, (facts.data.files[file].lines?.[line - 1] ?? "").trim()),
        h(
          "ul",
          { class: "kernel-list" },
          kernels.map((index) =>
            h(
              "li",
              {},
              h(
                "button",
                { class: "text-link", onclick: () => on.onKernel(index) },
                `#${index + 1} ${facts.title(facts.data.kernels[index])}`,
              ),
              h("span", { class: "soft" }, facts.time(facts.data.kernels[index].seconds)),
            ),
          ),
        ),
      );
    },
    torch(graph, id) {
      const node = facts.data.graphs[graph].nodes.find((one) => one.id === id);
      replace(
        element,
        h(
          "div",
          { class: "panel-head" },
          h("h2", { class: "mono" }, node.label),
          h("span", { class: "badge warn" }, "stayed in torch"),
        ),
        h(
          "dl",
          { class: "model-figures" },
          fact("Why", node.reason || "not said"),
          fact("Result", node.type || "not a tensor"),
          fact("Model line", node.place ? placeButton(facts, node.place, on.onPlace) : "not known"),
        ),
      );
    },
  };
}

function kernelHead(facts, kernel, index, onKernel) {
  const equal = facts.equal(index);
  const at = equal.indexOf(index);
  const go = (step) => onKernel(equal[(at + step + equal.length) % equal.length]);
  return h(
    "div",
    { class: "panel-head" },
    h("h2", {}, `#${index + 1} ${facts.title(kernel)}`),
    h("span", { class: "badge" }, `bound by ${kernel.bound}`),
    equal.length > 1 &&
      h(
        "span",
        { class: "stepper" },
        h(
          "button",
          { class: "button small", "aria-label": "Equal kernel before", onclick: () => go(-1) },
          "‹",
        ),
        h("span", { class: "soft" }, `${at + 1} of ${equal.length} equal`),
        h(
          "button",
          { class: "button small", "aria-label": "Equal kernel after", onclick: () => go(1) },
          "›",
        ),
      ),
    h("span", { class: "panel-name soft mono" }, kernel.name),
    copyButton(() => kernel.name, "Copy name"),
  );
}

function figures(facts, kernel) {
  const segment = facts.data.segments[kernel.segment];
  const graph = facts.data.graphs[kernel.graph];
  const share = facts.share(kernel.seconds);
  return h(
    "dl",
    { class: "model-figures" },
    fact(kernel.measured ? "Time, measured" : "Time, estimated", facts.time(kernel.seconds)),
    fact("Of the total", share === null ? "not known" : facts.percent(share)),
    fact("Of its ceiling", kernel.ceiling === null ? "not known" : facts.percent(kernel.ceiling)),
    fact("Arithmetic", flops(kernel.flops)),
    fact("Moves at least", bytes(kernel.bytes)),
    fact("Planned as", kernel.label || "the default"),
    fact("Segment", `${segment.name}, ${graph.title.toLowerCase()}`),
    kernel.note && fact("Note", kernel.note),
  );
}

function fact(name, value) {
  return h("div", {}, h("dt", {}, name), h("dd", {}, value));
}

function opsAndLines(facts, kernel, onPlace) {
  const nodes = facts.data.graphs[kernel.graph].nodes;
  const own = new Set(kernel.nodes);
  const members = nodes.filter((node) => own.has(node.id));
  const weights = weightsOf(nodes, members);
  return h(
    "div",
    { class: "ops-and-lines" },
    h("h3", {}, members.length === 1 ? "1 op" : `${members.length} ops`),
    h(
      "ol",
      { class: "op-list" },
      members.map((node) =>
        h(
          "li",
          {},
          h("span", { class: "mono" }, node.label),
          h("span", { class: "soft mono" }, node.type),
          node.place && placeButton(facts, node.place, onPlace),
        ),
      ),
    ),
    weights.length > 0 &&
      h(
        "p",
        { class: "soft" },
        "Weights: ",
        h("span", { class: "mono" }, weights.map((node) => node.label).join(", ")),
      ),
  );
}

function weightsOf(nodes, members) {
  const read = new Set(members.flatMap((node) => node.inputs));
  return nodes.filter((node) => node.kind === "weight" && read.has(node.id));
}
