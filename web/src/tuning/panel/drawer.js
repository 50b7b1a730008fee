// A panel at the right edge: one trial, or two side by side.

import { h, replace } from "../../common/dom.js";

/** The panel; `show` fills it and takes the focus, Escape closes it and gives the focus back. */
export function createDrawer() {
  const title = h("h2", { id: "drawer-title", tabindex: "-1" });
  const tools = h("div", { class: "tools" });
  const body = h("div", { class: "drawer-body" });
  let opener = null;
  const element = h(
    "aside",
    {
      class: "drawer",
      "aria-labelledby": "drawer-title",
      hidden: true,
      onkeydown: (event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close();
      },
    },
    h(
      "div",
      { class: "drawer-head" },
      title,
      tools,
      h(
        "button",
        { class: "icon-button", "aria-label": "Close", title: "Close (Escape)", onclick: close },
        "✕",
      ),
    ),
    body,
  );

  function close() {
    element.hidden = true;
    opener?.focus?.({ preventScroll: true });
  }

  function show({ name, buttons = [], wide = false, content }) {
    if (element.hidden) opener = document.activeElement;
    element.hidden = false;
    element.classList.toggle("wide", wide);
    title.textContent = name;
    replace(tools, buttons);
    replace(body, content);
    body.scrollTop = 0;
    title.focus({ preventScroll: true });
  }
  return { element, show, close, isOpen: () => !element.hidden };
}

/**
 * Tabs whose panels are made when they are opened.
 * @param {[string, () => unknown][]} parts
 */
export function tabs(parts, label) {
  const panel = h("div", { role: "tabpanel", class: "tab-panel", tabindex: "0" });
  const buttons = parts.map(([name], place) =>
    h(
      "button",
      {
        role: "tab",
        class: "tab",
        onclick: () => open(place),
        onkeydown: (event) => move(event, place),
      },
      name,
    ),
  );
  function open(place) {
    buttons.forEach((button, at) => {
      button.setAttribute("aria-selected", String(at === place));
      button.tabIndex = at === place ? 0 : -1;
    });
    panel.setAttribute("aria-label", parts[place][0]);
    replace(panel, parts[place][1]());
  }
  function move(event, place) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (place + step + parts.length) % parts.length;
    open(next);
    buttons[next].focus();
  }
  open(0);
  return [h("div", { role: "tablist", class: "tabs", "aria-label": label }, buttons), panel];
}
