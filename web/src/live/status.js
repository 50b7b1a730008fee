// The line that says whether what is shown belongs to what is written.

import { h } from "../common/dom.js";

const RETRY_MS = 3000;

export function createStatus(command, retry) {
  const dot = h("span", { class: "status-dot", "aria-hidden": "true" });
  const text = h("span", {});
  const element = h("div", { class: "live-status", role: "status" }, dot, text);
  let timer = 0;
  const say = (tone, words) => {
    clearTimeout(timer);
    element.dataset.tone = tone;
    if (text.textContent !== words) text.textContent = words;
  };
  return {
    element,
    running: () => say("busy", "running…"),
    compiling: (words) => say("busy", words),
    done: (words) => say("good", words),
    errors: (count) => {
      const errors = count === 1 ? "1 error" : `${count} errors`;
      say("bad", `${errors}; what is shown is from before`);
    },
    failed: (words) => say("bad", words),
    refused(error) {
      if (error.kind === "gone") {
        say("bad", `server gone: restart it with ${command}`);
        timer = setTimeout(retry, RETRY_MS);
      } else say("bad", error.message);
    },
  };
}
