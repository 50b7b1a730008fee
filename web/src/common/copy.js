// A button that copies a text.

import { announce, h } from "./dom.js";

/** @param {() => string} text what to copy, asked for when the button is pressed */
export function copyButton(text, label = "Copy") {
  const button = h(
    "button",
    { class: "button small", onclick: () => copy(text(), button, label) },
    label,
  );
  return button;
}

async function copy(text, button, label) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
  }
  button.textContent = "Copied";
  announce("copied");
  setTimeout(() => {
    button.textContent = label;
  }, 1200);
}

// A page from disk has no clipboard API in some browsers.
function copyBySelection(text) {
  const area = h("textarea", { class: "visually-hidden" });
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
