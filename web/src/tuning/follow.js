// The tuning page of a run that goes on: asks the server for further trials.

import { h } from "../common/dom.js";
import { frame } from "../common/frame.js";
import { createTuningView } from "./view.js";

const POLL_MS = 2000;

/** @param {any} data the data of the page, with `poll`, the address of newer data */
export function followRun(data) {
  const state = h("span", { class: "badge", role: "status" });
  const main = frame(data, { tools: [state] });
  const loadDetail = (run, trial) => ask(`${sibling(data.poll, "trial")}?${query(run, trial)}`);
  const view = createTuningView(data, { loadDetail });
  main.append(view.element);
  const run = shownKey(data);
  let seen = stamp(data);

  function show(now) {
    const trials = now.runs[now.shown]?.count ?? 0;
    const count = trials === 1 ? "1 trial" : `${trials} trials`;
    state.className = now.running ? "badge" : "badge good";
    state.textContent = now.running ? `running, ${count}` : `ended, ${count}`;
  }

  async function poll() {
    let now;
    try {
      now = await ask(data.poll);
    } catch {
      state.className = "badge warn";
      state.textContent = "the run has ended";
      return;
    }
    // Another run has begun: the page starts with it.
    if (run !== null && shownKey(now) !== run) location.reload();
    else if (stamp(now) !== seen) view.update({ outcomes: [], text: [], shown: null, ...now });
    seen = stamp(now);
    show(now);
    if (now.running) setTimeout(poll, POLL_MS);
  }

  show(data);
  if (data.running) setTimeout(poll, POLL_MS);
}

function shownKey(data) {
  return data.runs[data.shown]?.key ?? null;
}

/** Changes when there is something new to draw. */
function stamp(data) {
  return JSON.stringify([data.running, data.runs.map((one) => [one.key, one.count])]);
}

async function ask(address) {
  const response = await fetch(address);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

function sibling(address, name) {
  return address.replace(/[^/]*$/, name);
}

function query(run, trial) {
  return new URLSearchParams({ run, trial: String(trial) });
}
