// What the views ask of the data: the text of a step, the levels, which step belongs to a line, which
// op is on a line, and which handles hold it.

const LEVELS = {
  payload: "Payload",
  schedule: "Schedule",
  default: "Default",
  pass: "Code generation",
  source: "Triton",
  compiler: "Compiler",
};

/** Facts about one program page; made again when the data changes. */
export class Facts {
  constructor(data) {
    this.data = data;
    this.steps = (data.steps ?? []).map((step) => withNest(step, data.nests));
    this.files = data.files ?? [];
    this.names = handleNames(this.steps);
    this._texts = new Map();
    this._lineSteps = lineSteps(this.steps);
  }

  get last() {
    return this.steps.length - 1;
  }

  /** The lines of a step as texts. */
  text(step) {
    let lines = this._texts.get(step);
    if (!lines) {
      const all = this.data.text;
      lines = this.steps[step].lines.map((number) => all[number]);
      this._texts.set(step, lines);
    }
    return lines;
  }

  language(step) {
    const { origin, title } = this.steps[step];
    if (origin === "source") return "python";
    if (origin === "compiler" && /ptx|sass/i.test(title)) return "ptx";
    return "mlir";
  }

  /** Runs of steps of one level: `{label, first, last}`. */
  levels() {
    const found = [];
    this.steps.forEach((step, number) => {
      const label = LEVELS[step.origin] ?? step.origin;
      const run = found.at(-1);
      if (run && run.label === label) run.last = number;
      else found.push({ label, origin: step.origin, first: number, last: number });
    });
    return found;
  }

  level(step) {
    return LEVELS[this.steps[step].origin] ?? this.steps[step].origin;
  }

  /** The step that a line of a file leads to, or undefined. */
  stepOfLine(file, line) {
    return this._lineSteps.get(key(file, line))?.step;
  }

  /** Whether a statement on a line ran as a step (not only made handles). */
  isStepLine(file, line) {
    return this._lineSteps.get(key(file, line))?.ran ?? false;
  }

  /** The handle that a name stands for after a step: the one made on `line`, else the newest. */
  handle(step, name, line) {
    const found = (this.steps[step]?.handles ?? []).filter((one) => one[0] === name);
    return found.findLast(([, place]) => place && place[1] === line) ?? found.at(-1);
  }

  /** The steps after which a name is a valid handle: `[first, last]`, or null. */
  validSteps(name) {
    let first = null;
    let last = null;
    this.steps.forEach((step, number) => {
      if (!step.handles?.some((one) => one[0] === name && one[2].length)) return;
      first ??= number;
      last = number;
    });
    return first === null ? null : [first, last];
  }

  /** The lines of some ops after a step: `[first, last]` each, in order. */
  spans(step, ops) {
    const wanted = new Set(ops);
    return this.steps[step].ops
      .filter(([op]) => wanted.has(op))
      .map(([, first, last]) => [first, last])
      .sort((a, b) => a[0] - b[0]);
  }

  /** The ops around a line, innermost first: `[op, first, last]`. */
  opsAt(step, line) {
    return this.steps[step].ops
      .filter(([, first, last]) => first <= line && line <= last)
      .sort((a, b) => a[2] - a[1] - (b[2] - b[1]));
  }

  /** The innermost op on a line that a handle holds, and the handles: `{op, inside, handles}`. */
  holders(step, line) {
    const around = this.opsAt(step, line);
    for (const [index, [op]] of around.entries()) {
      const handles = this.steps[step].handles.filter((one) => one[2].includes(op));
      if (handles.length) return { op, inside: index > 0, handles };
    }
    return { op: around[0]?.[0] ?? null, inside: false, handles: [] };
  }

  /** Ops with regions: first line to `[op, last]`. */
  regions(step) {
    const found = new Map();
    for (const [op, first, last] of this.steps[step].ops) {
      const known = found.get(first);
      if (last > first && (!known || known[1] < last)) found.set(first, [op, last]);
    }
    return found;
  }

  /** The number of the last step before `step` that is Triton source, or null. */
  sourceStep(step) {
    for (let number = step; number >= 0; number--) {
      if (this.steps[number].origin === "source") return number;
    }
    return null;
  }

  /** Where a line of a step comes from: `{schedule, payload, source}`, each a place or null. */
  origin(step, line) {
    const { source_lines: sourceLines, origins } = this.steps[step];
    const own = origins?.[line] ?? [null, null];
    const source = sourceLines?.[line] ?? null;
    const sourceStep = source === null ? null : this.sourceStep(step);
    const above = sourceStep === null ? null : this.steps[sourceStep].origins?.[source];
    return {
      schedule: own[0] ?? above?.[0] ?? null,
      payload: own[1] ?? above?.[1] ?? null,
      source,
      sourceStep,
    };
  }

  hasOrigins(step) {
    const { source_lines: sourceLines, origins } = this.steps[step] ?? {};
    return Boolean(origins || sourceLines);
  }

  /** The lines of a step that come from a line of a file. */
  linesFrom(step, file, line) {
    if (!this.hasOrigins(step)) return [];
    const found = [];
    for (let number = 0; number < this.steps[step].lines.length; number++) {
      const { schedule, payload } = this.origin(step, number);
      if ([schedule, payload].some((one) => one && one[0] === file && one[1] === line)) {
        found.push(number);
      }
    }
    return found;
  }

  /** `softcap.tw:38`, or an empty text. */
  placeText(place) {
    return place ? `${this.files[place[0]].name}:${place[1]}` : "";
  }

  /** The text of the line of a place. */
  placeLine(place) {
    return place ? (this.files[place[0]].lines[place[1] - 1] ?? "").trim() : "";
  }

  /** Lines of the branches of choices that were not taken: `file:line`. */
  skippedLines() {
    const skipped = new Set();
    const taken = new Set();
    for (const { value, branches } of this.data.choices ?? []) {
      for (const [label, ranges] of Object.entries(branches ?? {})) {
        const lines = label === value ? taken : skipped;
        for (const [file, first, last] of ranges) {
          for (let line = first; line <= last; line++) lines.add(key(file, line));
        }
      }
    }
    // A branch inside a skipped branch has no value, so none of its lines is taken.
    for (const line of taken) skipped.delete(line);
    return skipped;
  }
}

/** One text for a line of a file. */
export function key(file, line) {
  return `${file}:${line}`;
}

// Nests share their parts; here each nest gets its own list of them.
function withNest(step, parts) {
  if (!step.nest || !parts) return step;
  const children = step.nest.children.map((number) => parts[number]);
  return { ...step, nest: { ...step.nest, children } };
}

function handleNames(steps) {
  const names = new Set();
  for (const step of steps) {
    for (const [name, , ops] of step.handles ?? []) if (ops.length) names.add(name);
  }
  return names;
}

// The last step of each line; a line that only made handles leads to the step that has them first.
function lineSteps(steps) {
  const found = new Map();
  steps.forEach((step, number) => {
    for (const [, place] of step.handles ?? []) {
      if (place && !found.has(key(place[0], place[1]))) {
        found.set(key(place[0], place[1]), { step: number, ran: false });
      }
    }
    if (step.place) found.set(key(step.place[0], step.place[1]), { step: number, ran: true });
  });
  return found;
}
