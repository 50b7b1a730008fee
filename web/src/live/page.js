// The live page: editors on one side, what the server makes of them on the other.

import { announce, h } from "../common/dom.js";
import { get, post, Refusal } from "./api.js";
import { createChoices } from "./choices.js";
import { createCommands } from "./commands.js";
import { createEditor } from "./editor.js";
import { createEvaluation } from "./evaluation.js";
import { createFacts } from "./facts.js";
import { payloadLanguage, scheduleLanguage } from "./languages.js";
import { createLayout } from "./layout.js";
import { fragment } from "./permalink.js";
import { createProblems } from "./problems.js";
import { createResult } from "./result.js";
import { createStatus } from "./status.js";

const LINK_MS = 400;

/**
 * @param {object} data the data of the page
 * @param {{payload: string, schedule: string, point?: object, step?: number, view?: string}} first
 */
export function createPage(data, first) {
  let names = namesOf(first);
  let point = first.point ?? {};
  let linkTimer = 0;
  const language = scheduleLanguage(data.language);
  const languageOf = ({ schedule_name }) =>
    schedule_name.endsWith(".mlir") ? payloadLanguage : language;

  const texts = () => ({ payload: payload.text(), schedule: schedule.text(), ...names });
  const state = () => ({ ...texts(), point });
  const evaluation = createEvaluation(state, { onBegin, onCheck, onLook, onEstimate, onRefusal });
  const commands = createCommands(state, data.device, usePoint);
  const parts = { onChange: edited, onRun: commands.run };
  const payload = createEditor({
    label: "Payload",
    text: first.payload,
    language: payloadLanguage,
    complete: completion("payload"),
    ...parts,
  });
  const schedule = createEditor({
    label: "Schedule",
    text: first.schedule,
    language: languageOf(names),
    complete: completion("schedule"),
    onLine: (line) => result.showLine(line),
    onWord: (word, line) => result.pointAtHandle(word, line),
    ...parts,
  });
  const status = createStatus(data.command, evaluation.now);
  const problems = createProblems(goTo);
  const facts = createFacts(data.target);
  const choices = createChoices(choose, resetChoices);
  const result = createResult({
    onStep: (line) => {
      schedule.markLine(line);
      keepLink();
    },
    onPlace: goToPlace,
    onHandles: (handles) => schedule.markNames(handles),
    step: first.step,
    view: first.view,
  });
  const layout = createLayout({
    payload,
    schedule,
    problems,
    status,
    choices,
    facts,
    result,
    commands,
  });
  layout.name(names);

  // -- what changes ------------------------------------------------------------

  function edited() {
    evaluation.typed();
    keepLink();
  }

  function choose(name, value) {
    point = { ...point, [name]: value };
    evaluation.chosen();
    keepLink();
  }

  function resetChoices() {
    usePoint({});
  }

  function usePoint(next) {
    point = next;
    evaluation.chosen();
    keepLink();
  }

  function open(next) {
    names = namesOf(next);
    point = next.point ?? {};
    facts.forget();
    layout.name(names);
    result.restart(next);
    schedule.setLanguage(languageOf(names));
    payload.replace(next.payload);
    schedule.replace(next.schedule);
    evaluation.now();
  }

  function keepLink() {
    clearTimeout(linkTimer);
    linkTimer = setTimeout(async () => {
      history.replaceState(null, "", await fragment({ ...state(), ...result.state() }));
    }, LINK_MS);
  }

  // -- what the server says -----------------------------------------------------

  function onBegin() {
    facts.begin();
    facts.stale();
    status.running();
  }

  /** Shows diagnostics; returns whether they keep the schedule from running. */
  function onCheck({ diagnostics }) {
    const errors = diagnostics.filter((one) => one.severity === "error").length;
    payload.diagnose(diagnostics.filter((one) => one.file === "payload"));
    schedule.diagnose(diagnostics.filter((one) => one.file === "schedule"));
    problems.update(diagnostics);
    if (errors) {
      status.errors(errors);
      result.stale();
      facts.stale();
    }
    return errors > 0;
  }

  /** Shows the steps; returns whether the program is complete. */
  function onLook({ program, diagnostics }) {
    onCheck({ diagnostics });
    if (!program) return false;
    choices.update(program.choices, Object.keys(point).length > 0);
    if (program.failure) {
      result.update(program);
      status.failed("the schedule does not apply; the steps up to the failure are shown");
      return false;
    }
    result.update(program);
    status.done(`up to date, ${program.steps.length - 1} steps`);
    keepLink();
    return true;
  }

  function onEstimate(estimate, isCompiling) {
    facts.update(estimate, isCompiling);
  }

  function onRefusal(error) {
    status.refused(error);
    result.stale();
    facts.stale();
  }

  function goTo({ file, line, column }) {
    goToPlace(file, line, column);
  }

  function goToPlace(editor, line, column) {
    layout.showEditor(editor);
    (editor === "payload" ? payload : schedule).go(line, column);
  }

  function completion(editor) {
    return async (context) => {
      const word = context.matchBefore(/[\w.]*/);
      const quoted = context.matchBefore(/"/);
      if (!context.explicit && !quoted && word.from === word.to) return null;
      try {
        const found = await post("/api/complete", { ...texts(), editor, offset: context.pos });
        return { ...found, validFor: /^[\w.]*$/ };
      } catch {
        return null;
      }
    };
  }

  // -- tools ---------------------------------------------------------------------

  const examples = h(
    "select",
    { "aria-label": "Examples", onchange: () => openExample(examples.value) },
    h("option", { value: "" }, "Examples…"),
    data.examples.map(({ name, title }) => h("option", { value: name }, title)),
  );

  async function openExample(name) {
    examples.value = "";
    if (!name) return;
    await attempt(async () => open(await get(`/api/examples/${name}`)));
  }

  async function plan() {
    await attempt(async () => {
      status.compiling("planning…");
      const planned = await post("/api/plan", texts());
      if (planned.schedule === null) {
        if (planned.diagnostics.length) onCheck(planned);
        else status.failed("the payload has a schedule of its own");
        return;
      }
      point = {};
      schedule.replace(planned.schedule);
      evaluation.now();
    });
  }

  async function attempt(action) {
    try {
      await action();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      onRefusal(error);
    }
  }

  const link = h("button", { class: "button", onclick: copyLink }, "Copy link");

  async function copyLink() {
    const address = location.origin + location.pathname;
    const text = address + (await fragment({ ...state(), ...result.state() }));
    try {
      await navigator.clipboard.writeText(text);
      link.textContent = "Copied";
      announce("link copied");
    } catch {
      history.replaceState(null, "", text);
      link.textContent = "In the address";
    }
    setTimeout(() => {
      link.textContent = "Copy link";
    }, 1500);
  }

  const where = data.device ?? `no GPU, estimates for ${data.target}`;
  const tools = [
    h("span", { class: "badge device", title: where }, where),
    examples,
    h(
      "button",
      { class: "button", onclick: plan, title: "Write a schedule for this payload" },
      "Plan",
    ),
    h("button", { class: "button primary", onclick: commands.run, title: "Ctrl-Enter" }, "Run"),
    h("button", { class: "button", onclick: commands.tune }, "Tune"),
    link,
  ];

  function start() {
    if (data.plans && first === data.start) plan();
    else evaluation.now();
  }

  return { element: layout.element, tools, start, open };
}

function namesOf(state) {
  return {
    payload_name: state.payload_name ?? "payload.mlir",
    schedule_name: state.schedule_name ?? "schedule.tw",
  };
}
