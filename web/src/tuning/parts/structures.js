// The best trial of each structure, and the reason why one beats another: a click compares two.

import { h, replace } from "../../common/dom.js";
import { counted, ms, times } from "../model.js";
import { explanation } from "../panel/comparison.js";
import { section } from "../section.js";

const MOST = 8;

/** @param {import("../view.js").Context} context */
export function structures(context) {
  const body = h("div", {});
  let showsAll = false;
  const { element } = section({ id: "structures", title: "The best of each structure" }, body);
  function draw() {
    const { model } = context;
    const found = model.run.structures ?? [];
    element.hidden = !found.length;
    if (!found.length) return;
    const shown = showsAll ? found : found.slice(0, MOST);
    const slowest = Math.max(...shown.map((one) => one.ms ?? 0));
    replace(
      body,
      h(
        "ol",
        { class: "structure-list" },
        shown.map((one) => item(context, one, slowest)),
      ),
      found.length > MOST
        ? h(
            "button",
            {
              class: "button small more",
              onclick: () => {
                showsAll = !showsAll;
                draw();
              },
            },
            showsAll ? "Show fewer" : `Show all ${found.length}`,
          )
        : null,
    );
  }
  return { element, draw };
}

function item(context, one, slowest) {
  const { model } = context;
  const name = Object.entries(one.point)
    .map(([choice, value]) => `${choice}=${value}`)
    .join(" ");
  const count = `${counted(one.trials, "trial")}${one.failed ? `, ${one.failed} failed` : ""}`;
  if (one.best === null) {
    return h(
      "li",
      {},
      h("span", { class: "structure-name mono" }, name || "no structure"),
      h("span", { class: "badge bad" }, "never worked"),
      h("span", { class: "soft" }, count),
    );
  }
  const isWinner = one.best === model.best;
  const bar = h("span", { class: `bar${isWinner ? " winner" : ""}` });
  bar.style.width = `${(100 * one.ms) / slowest}%`;
  return h(
    "li",
    {},
    h("button", { class: "structure-name mono link", onclick: () => context.open(one.best) }, name),
    h("span", { class: "structure-time" }, ms(one.ms)),
    h("span", { class: "bar-track", "aria-hidden": "true" }, bar),
    h(
      "span",
      { class: "structure-facts" },
      isWinner
        ? h("span", { class: "badge good" }, "winner")
        : h(
            "button",
            { class: "button small", onclick: () => context.compare(one.best, model.best) },
            `${times(one.ms / model.bestMs)} as long: why?`,
          ),
      h("span", { class: "soft" }, count),
    ),
    isWinner
      ? null
      : h("p", { class: "note" }, explanation(model, one.best, model.best, "The winner")),
  );
}
