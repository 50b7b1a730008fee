// The step and the view in the address, so that reload, back and bookmarks work.

/** The quickest change that gets an entry of its own in the history, in milliseconds. */
const PAUSE = 700;
let changed = 0;

/** `#step=5&view=whole` as `{step, view}`; what is not there is undefined. */
export function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const step = Number.parseInt(parts.get("step") ?? "", 10);
  return { step: Number.isNaN(step) ? undefined : step, view: parts.get("view") ?? undefined };
}

/** Writes the state; quick changes in a row (a held key, the slider) make one entry. */
export function writeAddress({ step, view }) {
  const hash = `#step=${step}${view === "diff" ? "" : `&view=${view}`}`;
  // A frame of a notebook has no address of its own.
  if (hash === location.hash || location.protocol === "about:") return;
  const now = performance.now();
  const isFirst = location.hash === "";
  if (isFirst || now - changed < PAUSE) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
  changed = now;
}
