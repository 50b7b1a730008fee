// `run` and `tune`: a panel with what the command prints, and the trials as they arrive.

import { announce, h, replace } from "../common/dom.js";
import { get, post, Refusal } from "./api.js";
import { createTrials } from "./trials.js";

const POLL_MS = 1000;
const TONES = { running: "", done: "good", failed: "bad", stopped: "warn" };

/**
 * @param {() => object} state the texts and the point
 * @param {string | null} device the GPU of the server's machine
 * @param {(point: object) => void} onUse takes the choices of a trial
 */
export function createCommands(state, device, onUse) {
  const title = h("h2", {}, "Run");
  const badge = h("span", { class: "badge" });
  const stopper = h("button", { class: "button small", onclick: () => stop() }, "Stop");
  const closer = h("button", { class: "button small", onclick: () => close() }, "Close");
  const output = h("pre", { class: "command-output", tabindex: "0", "aria-label": "Output" });
  const trials = createTrials(onUse);
  const element = h(
    "section",
    { class: "commands", "aria-label": "Run and tune", hidden: true },
    h(
      "div",
      { class: "section-head" },
      title,
      badge,
      h("span", { class: "spacer" }),
      stopper,
      closer,
    ),
    device
      ? null
      : h(
          "p",
          { class: "no-device" },
          "There is no GPU here: interpreters check the numbers, and the cost model estimates the times.",
        ),
    trials.element,
    output,
  );
  let number = null;
  let timer = 0;

  async function start(kind) {
    clearTimeout(timer);
    element.hidden = false;
    title.textContent = kind === "run" ? "Run" : "Tune";
    trials.clear();
    output.textContent = "";
    try {
      const began = await post("/api/commands", { ...state(), kind });
      number = began.number;
      show(began);
      follow();
    } catch (error) {
      refuse(error);
    }
    element.scrollIntoView({ block: "nearest" });
  }

  async function follow() {
    try {
      const now = await get(`/api/commands/${number}`);
      if (now.kind === "tune") {
        trials.update(await get(`/api/commands/${number}/results`), number);
      }
      show(now);
      if (now.state === "running") timer = setTimeout(follow, POLL_MS);
      else announce(`${now.kind} ${now.state}`);
    } catch (error) {
      refuse(error);
    }
  }

  async function stop() {
    stopper.disabled = true;
    try {
      show(await post(`/api/commands/${number}/stop`, {}));
    } catch (error) {
      refuse(error);
    }
  }

  function show(now) {
    badge.className = `badge ${TONES[now.state]}`;
    badge.textContent = `${now.state}, ${now.seconds.toFixed(0)} s`;
    stopper.disabled = false;
    stopper.hidden = now.state !== "running";
    closer.hidden = now.state === "running";
    const isAtEnd = output.scrollTop + output.clientHeight >= output.scrollHeight - 30;
    replace(output, now.output || "starting…");
    if (isAtEnd) output.scrollTop = output.scrollHeight;
  }

  function refuse(error) {
    if (!(error instanceof Refusal)) throw error;
    badge.className = "badge bad";
    badge.textContent = "failed";
    output.textContent = error.message;
    stopper.hidden = true;
    closer.hidden = false;
  }

  function close() {
    element.hidden = true;
  }

  return { element, run: () => start("run"), tune: () => start("tune") };
}
