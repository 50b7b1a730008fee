// Light and dark: by the system's setting, or as the reader chose.

import { h } from "./dom.js";

const KEY = "tilewright-theme";
const NEXT = { auto: "light", light: "dark", dark: "auto" };
const SIGNS = { auto: "◐", light: "☀", dark: "☾" };

/** A button that goes round: as the system says, light, dark. */
export function themeSwitch() {
  const button = h("button", { class: "icon-button", onclick: () => use(NEXT[chosen()]) });
  const use = (theme) => {
    document.documentElement.dataset.theme = theme;
    remember(theme);
    button.textContent = SIGNS[theme];
    button.title = `Colours: ${theme}`;
    button.setAttribute("aria-label", `Colours: ${theme}`);
    dispatchEvent(new CustomEvent("themechange"));
  };
  use(chosen());
  return button;
}

function chosen() {
  return document.documentElement.dataset.theme ?? remembered() ?? "auto";
}

/** Whether the page is dark now; charts need to know. */
export function isDark() {
  const theme = chosen();
  if (theme !== "auto") return theme === "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

// A page that is opened from disk may have no storage.
function remembered() {
  try {
    const theme = localStorage.getItem(KEY);
    return theme in NEXT ? theme : null;
  } catch {
    return null;
  }
}

function remember(theme) {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // The theme holds until the page is closed.
  }
}

/** A colour of the style sheet as the browser sees it now, for charts on a canvas. */
export function colour(name) {
  const probe = h("span", { class: "visually-hidden" });
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}
