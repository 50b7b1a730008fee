// Building elements. Text goes in as text: nothing here or in the pages uses innerHTML, so that no
// payload, schedule or model can put markup into a page.

/**
 * An element with attributes, listeners (`onclick`) and children (nodes, texts, arrays, null).
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...unknown} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

const SVG = "http://www.w3.org/2000/svg";

/** The same for SVG. */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "dataset") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(element, child);
    else if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : String(child));
    }
  }
}

/** Puts children in place of all that an element has. */
export function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/** The data of the page, which Python wrote into it. */
export function pageData() {
  return JSON.parse(document.getElementById("data").textContent);
}

/** Tells a screen reader what changed. */
export function announce(text) {
  let region = document.getElementById("announcer");
  if (!region) {
    region = h("div", { id: "announcer", class: "visually-hidden", "aria-live": "polite" });
    document.body.append(region);
  }
  region.textContent = text;
}
