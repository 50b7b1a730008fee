import "../style/base.css";
import "../style/code.css";
import "../program/program.css";
import "./model.css";
import { announce, h, pageData } from "../common/dom.js";
import { frame } from "../common/frame.js";
import { bind } from "../common/keys.js";
import { factsOf } from "./facts.js";
import { graphView } from "./graph_view.js";
import { kernelPanel } from "./kernel_panel.js";
import { kernelTable } from "./kernel_table.js";
import { sourceView } from "./source_view.js";
import { torchTable } from "./torch_table.js";
import { totalsView } from "./totals.js";

const data = pageData();
const main = frame(data);
if (data.kernels) show();
else main.append(h("p", { class: "empty" }, "This page has no model."));

function show() {
  const facts = factsOf(data);
  let selected = null;

  const selectKernel = (index) => {
    selected = index;
    graph.select([index]);
    table.select([index]);
    source.select(data.kernels[index].places);
    panel.kernel(index);
    remember(`kernel=${index + 1}`);
    announce(`kernel ${index + 1}: ${facts.title(data.kernels[index])}`);
  };
  const selectLine = (file, line) => {
    const kernels = facts.lines.get(`${file}:${line}`)?.kernels ?? [];
    selected = kernels[0] ?? null;
    graph.select(kernels);
    table.select(kernels);
    source.select([[file, line]]);
    panel.line(file, line);
    remember(`line=${file}:${line}`);
    announce(`${facts.place([file, line])}: ${kernels.length} kernels`);
  };
  const selectTorch = (number, id) => {
    const node = data.graphs[number].nodes.find((one) => one.id === id);
    selected = null;
    graph.select([], { graph: number, id });
    table.select([]);
    source.select(node.place ? [node.place] : []);
    panel.torch(number, id);
    remember("");
  };
  const fromTable = (index) => {
    selectKernel(index);
    panel.element.scrollIntoView({ block: "nearest" });
  };

  const graph = graphView(facts, { onKernel: selectKernel, onTorch: selectTorch });
  const source = sourceView(facts, selectLine);
  const panel = kernelPanel(facts, { onKernel: selectKernel, onPlace: selectLine });
  const table = kernelTable(facts, fromTable);
  main.append(
    h(
      "div",
      { class: "model-page" },
      totalsView(facts, selectLine),
      h("div", { class: "graph-and-source" }, graph.element, source.element),
      panel.element,
      table.element,
      torchTable(facts, { onPlace: selectLine, onTorch: selectTorch }),
    ),
  );
  source.begin();

  const step = (by) => {
    const count = data.kernels.length;
    if (count === 0) return;
    selectKernel(selected === null ? (by > 0 ? 0 : count - 1) : (selected + by + count) % count);
  };
  bind("]", "next kernel", () => step(1));
  bind("[", "kernel before", () => step(-1));
  bind("e", "show or hide the ops in the graph", () => graph.toggle());
  bind("f", "filter the kernels", () => table.focusFilter());

  begin(selectKernel, selectLine, panel);
}

/** What the address names; otherwise nothing is selected. */
function begin(selectKernel, selectLine, panel) {
  const kernel = Number(location.hash.match(/^#kernel=(\d+)$/)?.[1]);
  const line = location.hash.match(/^#line=(\d+):(\d+)$/);
  if (kernel >= 1 && kernel <= data.kernels.length) selectKernel(kernel - 1);
  else if (line && data.files[Number(line[1])]) selectLine(Number(line[1]), Number(line[2]));
  else panel.nothing();
}

function remember(state) {
  try {
    history.replaceState(null, "", state ? `#${state}` : location.pathname);
  } catch {
    // A page from disk may have no history.
  }
}
