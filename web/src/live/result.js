// The steps that the server found; the last good ones stay, marked, while the text has errors.

import "../style/code.css";
import "../program/program.css";
import { h, replace } from "../common/dom.js";
import { createProgramView } from "../program/view.js";

/**
 * @param {{onStep: (line: number | null) => void, onPlace: (editor: string, line: number,
 *   column: number) => void, onHandles: (names: string[]) => void, step?: number, view?: string}} options
 */
export function createResult({ onStep, onPlace, onHandles, step, view: mode }) {
  const note = h("p", { class: "stale-note", hidden: true }, "From before the last change.");
  const place = h(
    "div",
    { class: "result-place" },
    h("p", { class: "empty" }, "Nothing has run yet."),
  );
  const element = h("section", { class: "result", "aria-label": "Steps" }, note, place);
  let view = null;
  let data = null;
  let wanted = { step, view: mode };

  const isOfSchedule = (where) => where && where[0] === data?.schedule;
  const stepped = (number) => {
    const where = data.steps[number]?.place;
    onStep(isOfSchedule(where) ? where[1] : null);
  };

  function create(program) {
    view = createProgramView(program, {
      schedulePane: false,
      step: wanted.step ?? program.steps.length - 1,
      view: wanted.view,
      onStep: stepped,
      onPlace: ([file, line, column]) =>
        onPlace(file === data.schedule ? "schedule" : "payload", line, column),
      onHandles,
    });
    replace(place, view.element);
  }

  return {
    element,
    /** What a permalink keeps. */
    state: () => view?.state() ?? wanted,
    restart(next) {
      wanted = { step: next.step, view: next.view };
    },
    update(program) {
      data = program;
      if (!view) create(program);
      else {
        view.update(program);
        if (wanted) view.show(wanted.step ?? program.steps.length - 1, wanted.view);
      }
      wanted = null;
      stepped(view.state().step);
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
      const isThere = ({ place: where }) => isOfSchedule(where) && where[1] === line;
      const found = data ? data.steps.findLastIndex(isThere) : -1;
      if (found >= 0) view.show(found);
    },
    pointAtHandle(name, line) {
      const handles = view ? (data.steps[view.state().step]?.handles ?? []) : [];
      const isHandle = handles.some(([known]) => known === name);
      view?.pointAtHandle(isHandle ? name : null, line);
    },
  };
}
