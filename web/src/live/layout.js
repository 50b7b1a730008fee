// Where the parts of the page are: side by side on a wide screen, behind tabs on a narrow one.

import { h } from "../common/dom.js";

const TABS = [
  ["schedule", "Schedule"],
  ["payload", "Payload"],
  ["result", "Result"],
];

export function createLayout(parts) {
  const titles = {
    payload: h("span", { class: "mono" }),
    schedule: h("span", { class: "mono" }),
  };
  const pane = (name, heading) =>
    h(
      "section",
      { class: `pane pane-${name}`, "aria-label": heading },
      h("div", { class: "pane-head" }, h("h2", {}, heading), titles[name]),
      parts[name].element,
    );
  const tabs = TABS.map(([name, label]) =>
    h("button", { class: "button", onclick: () => showPane(name), "aria-pressed": "false" }, label),
  );
  const element = h(
    "div",
    { class: "live" },
    parts.status.element,
    h("nav", { class: "live-tabs", "aria-label": "Parts" }, tabs),
    h(
      "div",
      { class: "live-editors" },
      pane("schedule", "Schedule"),
      pane("payload", "Payload"),
      parts.problems.element,
    ),
    h(
      "div",
      { class: "live-result" },
      parts.choices.element,
      parts.facts.element,
      parts.commands.element,
      parts.result.element,
    ),
  );

  function showPane(name) {
    element.dataset.pane = name;
    TABS.forEach(([one], at) => {
      tabs[at].setAttribute("aria-pressed", String(one === name));
    });
  }
  showPane("schedule");

  return {
    element,
    showEditor: showPane,
    name({ payload_name, schedule_name }) {
      titles.payload.textContent = payload_name;
      titles.schedule.textContent = schedule_name;
    },
  };
}
