// The schedule beside the IR: its lines lead to steps, its handles to ops. Other files are in tabs.

import { h, replace } from "../common/dom.js";
import { languageOf, tokens } from "../common/highlight.js";
import { tabs } from "../common/tabs.js";
import { key } from "./facts.js";

export class SchedulePane {
  /**
   * @param {{onLine: (file: number, line: number, how: string) => void, onLeave: () => void,
   *   onHandle: (name: string, line: number, how: string) => void}} callbacks
   */
  constructor(callbacks) {
    this.callbacks = callbacks;
    this.tabs = tabs({
      label: "Files",
      onChoose: (id) => this.open(Number(id)),
      panel: "file-panel",
    });
    this.body = h("div", { class: "file-lines", id: "file-panel", role: "tabpanel" });
    this.element = h(
      "section",
      { class: "schedule-pane", "aria-label": "Schedule and files" },
      this.tabs.element,
      this.body,
    );
    this.listen();
  }

  /** Takes new data. */
  reset(facts) {
    this.facts = facts;
    this.built = new Map();
    this.skipped = facts.skippedLines();
    const { data } = facts;
    const order = facts.files.map((_, number) => number);
    // The schedule first, then the payload, then the library.
    const rank = (file) => (file === data.schedule ? 0 : file === data.payload ? 1 : 2);
    order.sort((a, b) => rank(a) - rank(b));
    this.tabs.set(
      order.map((file) => ({
        id: String(file),
        label: fileLabel(facts, file),
        title: fileTitle(facts, file),
      })),
    );
    const first = data.schedule ?? data.payload ?? order[0];
    this.file = null;
    if (first === undefined || first === null) {
      replace(this.body, h("p", { class: "empty" }, "There is no file to show."));
    } else this.open(first);
  }

  open(file) {
    if (file === this.file) return;
    this.file = file;
    this.tabs.choose(String(file));
    if (!this.built.has(file)) this.built.set(file, this.build(file));
    const { lines, elements } = this.built.get(file);
    this.handles = elements.handles;
    replace(this.body, this.note(file), lines);
    this.body.setAttribute("aria-label", this.facts.files[file].name);
    this.paint();
  }

  note(file) {
    const { data } = this.facts;
    if (data.schedule === null && file === data.payload) {
      return h("p", { class: "file-note" }, "There is no schedule. The default made the kernels.");
    }
    if (data.planned && file === data.schedule) {
      return h("p", { class: "file-note" }, "The planner wrote this schedule.");
    }
    return null;
  }

  build(file) {
    const { name, lines } = this.facts.files[file];
    const language = languageOf(name);
    const isSchedule = file !== this.facts.data.payload || file === this.facts.data.schedule;
    const elements = { lines: [], handles: [] };
    const count = lines.at(-1) === "" ? lines.length - 1 : lines.length;
    for (let index = 0; index < count; index++) {
      const number = index + 1;
      const leads = this.facts.stepOfLine(file, number) !== undefined;
      const isSkipped = this.skipped.has(key(file, number));
      const code = h("span", { class: "code" });
      const indent = lines[index].length - lines[index].trimStart().length;
      code.style.setProperty("--indent", `${Math.min(indent, 40) + 4}ch`);
      for (const [kind, text] of tokens(language, lines[index])) {
        const handle = isSchedule && !isSkipped && this.handleName(kind, text);
        if (handle) {
          // A span, not a button: a button does not break across lines.
          const button = h(
            "span",
            {
              class: `handle ${kind === "value" ? "t-value" : ""}`,
              role: "button",
              tabindex: "-1",
              dataset: { handle, line: number },
            },
            text,
          );
          elements.handles.push(button);
          code.append(button);
        } else if (kind && kind !== "name") code.append(h("span", { class: `t-${kind}` }, text));
        else code.append(text);
      }
      const line = h(
        "div",
        { class: "file-line", dataset: { line: number } },
        leads
          ? h(
              "button",
              { class: "num", tabindex: "-1", "aria-label": `line ${number}: go to its step` },
              String(number),
            )
          : h("span", { class: "num" }, String(number)),
        code,
      );
      if (leads) line.classList.add("leads");
      if (this.facts.isStepLine(file, number)) line.classList.add("is-step");
      if (isSkipped) {
        line.classList.add("skipped");
        line.title = "This branch is not taken.";
      }
      elements.lines[number] = line;
    }
    return { lines: elements.lines.filter(Boolean), elements };
  }

  handleName(kind, text) {
    const name =
      kind === "value" ? text.slice(1).replace(/#\d+$/, "") : kind === "name" ? text : null;
    return name !== null && this.facts.names.has(name) ? name : null;
  }

  listen() {
    const { onLine, onHandle, onLeave } = this.callbacks;
    const tell = (event, how) => {
      const { handle, line } = event.target.dataset;
      if (handle !== undefined) return onHandle(handle, Number(line), how);
      const shown = event.target.closest(".file-line");
      if (shown) onLine(this.file, Number(shown.dataset.line), how);
      else if (how === "hover") onLeave();
    };
    this.body.addEventListener("pointerover", (event) => tell(event, "hover"));
    this.body.addEventListener("pointerleave", onLeave);
    this.body.addEventListener("focusin", (event) => tell(event, "focus"));
    this.body.addEventListener("focusout", onLeave);
    this.body.addEventListener("click", (event) => {
      if (getSelection().isCollapsed || event.target.closest("button, .handle"))
        tell(event, "click");
    });
    this.body.addEventListener("keydown", (event) => this.key(event));
  }

  /** Up and down go from line to line. */
  key(event) {
    if (event.key === "Enter" && event.target.dataset.handle) event.target.click();
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const line = event.target.closest(".file-line");
    if (by === undefined || !line) return;
    event.preventDefault();
    const buttons = [...this.body.querySelectorAll("button.num")];
    const at = buttons.findIndex((one) => one.parentElement === line);
    this.rove(buttons[Math.max(0, Math.min(buttons.length - 1, at + by))])?.focus();
  }

  // One line is in the order of the tab key, with its handles.
  rove(button) {
    if (!button) return null;
    for (const one of this.body.querySelectorAll("[tabindex='0']")) one.tabIndex = -1;
    for (const one of button.parentElement.querySelectorAll("[tabindex]")) one.tabIndex = 0;
    return button;
  }

  // -- marks ---------------------------------------------------------------------------

  /** Marks the statement of a step, and the place of a failure. */
  setStep(place, failure) {
    this.current = place;
    this.failure = failure;
    // The library opens by itself only if the reader is already there.
    if (place && place[0] !== this.file && this.file !== this.facts.data.payload) {
      this.open(place[0]);
    } else this.paint();
  }

  paint() {
    const built = this.built?.get(this.file);
    if (!built) return;
    this.marked ??= [];
    for (const line of this.marked) {
      line.classList.remove("current", "failed");
      line.removeAttribute("aria-current");
    }
    this.marked = [];
    const mark = (place, kind) => {
      const line = place && place[0] === this.file ? built.elements.lines[place[1]] : null;
      if (!line) return null;
      line.classList.add(kind);
      this.marked.push(line);
      return line;
    };
    mark(this.failure, "failed");
    const line = mark(this.current, "current");
    line?.setAttribute("aria-current", "step");
    const first = this.body.querySelector("button.num");
    this.rove(line?.querySelector("button.num") ?? first);
    this.target = line;
  }

  /** Scrolls to the current line, after everything else of the page is in place. */
  settle() {
    if (this.target) this.scrollTo(this.target);
    this.target = null;
  }

  /** Opens the file of a place and scrolls to its line. */
  reveal(place) {
    this.open(place[0]);
    const line = this.built.get(place[0])?.elements.lines[place[1]];
    if (!line) return;
    this.scrollTo(line);
    this.markOrigins([place]);
  }

  scrollTo(line) {
    const { offsetTop: top, offsetHeight: height } = line;
    const { scrollTop, clientHeight } = this.body;
    if (top < scrollTop + 20 || top + height > scrollTop + clientHeight - 20) {
      this.body.scrollTop = top - clientHeight / 2;
    }
  }

  /** Marks names of handles for which `holds(name, line)` is true. */
  markHandles(holds) {
    for (const button of this.handles ?? []) {
      const { handle, line } = button.dataset;
      button.classList.toggle("held", Boolean(holds?.(handle, Number(line))));
    }
  }

  /** Marks the lines of places as the origin of what the pointer is on. */
  markOrigins(places, reveal = false) {
    for (const line of this.origins ?? []) line.classList.remove("origin");
    const elements = this.built?.get(this.file)?.elements.lines ?? [];
    this.origins = places
      .filter((place) => place && place[0] === this.file)
      .map((place) => elements[place[1]])
      .filter(Boolean);
    for (const line of this.origins) line.classList.add("origin");
    if (reveal && this.origins.length) this.scrollTo(this.origins[0]);
  }
}

function fileLabel(facts, file) {
  const { data } = facts;
  const { name } = facts.files[file];
  return data.planned && file === data.schedule ? "planned schedule" : name;
}

function fileTitle(facts, file) {
  const { data } = facts;
  if (file === data.schedule) return "the schedule";
  return file === data.payload ? "the payload" : "a library of sequences";
}
