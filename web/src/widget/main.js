// The page inside a live widget of a notebook: the program view, and its choices as controls. Python
// is behind the notebook: the page sends it a point and gets the data of that point.

import "../style/base.css";
import "../style/code.css";
import "../program/program.css";
import "../live/live.css";
import "./widget.css";
import { announce, h, pageData } from "../common/dom.js";
import { frame } from "../common/frame.js";
import { createChoices } from "../live/choices.js";
import { createProgramView } from "../program/view.js";

const status = h("span", { class: "badge", role: "status", hidden: true }, "computing");
const first = pageData();
const main = frame(first, { tools: [status] });
document.getElementById("app").classList.add("full-height");

/** The choices that the reader made. */
let point = {};
const choices = createChoices(
  (name, value) => send({ ...point, [name]: value }),
  () => send({}),
);
const view = createProgramView(first, {});
main.append(h("div", { class: "widget-choices" }, choices.element), view.element);
choices.update(first.choices, false);

function send(wanted) {
  point = wanted;
  status.hidden = false;
  parent.postMessage({ tilewright: "point", point }, "*");
}

addEventListener("message", ({ source, data }) => {
  if (source !== parent || data?.tilewright !== "data") return;
  const now = JSON.parse(data.data);
  status.hidden = true;
  view.update(now);
  choices.update(now.choices, Object.keys(point).length > 0);
  announce(now.failure ? "the schedule does not apply" : "up to date");
});
