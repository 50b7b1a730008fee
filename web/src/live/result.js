// The steps that the server found; the last good ones stay, marked, while the text has errors.

import { h, replace } from "../common/dom.js";
import { createProgramView } from "./listing.js";

/** @param {{onStep: (line: number | null) => void, step?: number}} options */
export function createResult({ onStep, step }) {
  const note = h("p", { class: "stale-note", hidden: true }, "From before the last change.");
  const place = h(
    "div",
    { class: "result-place" },
    h("p", { class: "empty" }, "Nothing has run yet."),
  );
  const element = h("section", { class: "result", "aria-label": "Steps" }, note, place);
  let view = null;
  let data = null;
  let at = step ?? null;
  let wanted = step ?? null;

  const stepped = (number) => {
    at = number;
    const where = data?.steps[number]?.place;
    onStep(where && where[0] === data.schedule ? where[1] : null);
  };

  return {
    element,
    step: () => at,
    restart(next) {
      at = next ?? null;
      wanted = next ?? null;
      data = null;
    },
    update(program) {
      const target = wanted ?? kept(data, program, at);
      wanted = null;
      data = program;
      if (view) view.update(program);
      else {
        view = createProgramView(program, { schedulePane: false, onStep: stepped });
        replace(place, view.element);
      }
      view.show(Math.min(target ?? program.steps.length - 1, program.steps.length - 1));
      note.hidden = true;
      element.classList.remove("stale");
    },
    stale() {
      if (!data) return;
      note.hidden = false;
      element.classList.add("stale");
    },
    /** Shows what a line of the schedule did. */
    showLine(line) {
      const found = data?.steps.findLastIndex(
        ({ place: where }) => where && where[0] === data.schedule && where[1] === line,
      );
      if (view && found >= 0) view.show(found);
    },
  };
}

/** The step to show after an edit: the one that was shown, counted from the end if it was a text. */
function kept(before, after, at) {
  if (!before || at === null) return null;
  const shown = before.steps[at];
  if (!shown) return null;
  if (["pass", "source", "compiler"].includes(shown.origin)) {
    const same = after.steps.findLastIndex((one) => one.title === shown.title);
    return same >= 0 ? same : null;
  }
  return at;
}
