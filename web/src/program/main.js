import "../style/base.css";
import "../style/code.css";
import "./program.css";
import { h, pageData } from "../common/dom.js";
import { frame } from "../common/frame.js";
import { readAddress, writeAddress } from "./address.js";
import { createProgramView } from "./view.js";

// A page about a failure begins at the step before it.
function firstStep({ failure, steps }) {
  return failure ? steps.length - 1 : 0;
}

const data = pageData();
const main = frame(data);
document.getElementById("app").classList.add("full-height");
if (data.steps) {
  const { step = firstStep(data), view } = readAddress();
  const shown = createProgramView(data, { step, view, onChange: writeAddress });
  main.append(shown.element);
  addEventListener("hashchange", () => {
    const wanted = readAddress();
    shown.show(wanted.step ?? firstStep(data), wanted.view ?? "diff");
  });
} else {
  main.append(h("p", { class: "empty" }, "There is no step to show."));
}
