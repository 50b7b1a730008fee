// The parts of the page have one frame: a title, tools beside it, the content below.

import { h } from "../common/dom.js";

/**
 * @param {{id: string, title: string, tools?: Node, wide?: boolean}} about
 * @param {...unknown} children
 */
export function section({ id, title, tools = null, wide = false }, ...children) {
  const heading = h("h2", { id: `${id}-title` }, title);
  const element = h(
    "section",
    { id, class: wide ? "card wide" : "card", "aria-labelledby": `${id}-title` },
    h("div", { class: "card-head" }, heading, tools),
    children,
  );
  return { element, heading };
}

/** A few options of which one is pressed. */
export function choose(label, options, chosen, onchoose) {
  const buttons = options.map(([value, text]) =>
    h(
      "button",
      {
        class: "button small",
        "aria-pressed": String(value === chosen),
        onclick: () => {
          for (const button of buttons) button.setAttribute("aria-pressed", "false");
          buttons[options.findIndex(([one]) => one === value)].setAttribute("aria-pressed", "true");
          onchoose(value);
        },
      },
      text,
    ),
  );
  return h("div", { class: "segments", role: "group", "aria-label": label }, buttons);
}

/** A labelled `select`. */
export function pick(label, options, chosen, onpick) {
  const select = h(
    "select",
    { onchange: () => onpick(select.value) },
    options.map(([value, text]) =>
      h("option", { value, selected: String(value) === String(chosen) }, text),
    ),
  );
  return h("label", { class: "pick" }, h("span", {}, label), select);
}

/** A text in which `this` is code. */
export function worded(text) {
  return text.split("`").map((part, place) => (place % 2 ? h("code", {}, part) : part));
}

/** What a part shows where there is nothing to show. */
export function empty(text) {
  return h("p", { class: "empty" }, worded(text));
}

/** Says how to get the findings of a run that the page has without them. */
export function notExplained({ data, run }) {
  return empty(
    `This run was not explained. \`tilewright view ${data.source} '${run.key}'\` begins with it.`,
  );
}
