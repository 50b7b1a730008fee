// What the reader points at, and all that belongs to it: a handle and its ops, an op and its handles,
// a line of source and the lines that it comes from.

/**
 * @typedef {{type: "handle", name: string, line?: number} | {type: "op", op: number}
 *   | {type: "line", line: number} | {type: "file", file: number, line: number}} Pointer
 * @typedef {{lines: number[], ops: number[], handles: string[], places: number[][],
 *   sourceLine: number | null, texts: string[]}} Meaning
 */

const NOTHING = { lines: [], ops: [], handles: [], places: [], sourceLine: null, texts: [] };

/**
 * What a pointer means after a step.
 * @param {import("./facts.js").Facts} facts
 * @returns {Meaning}
 */
export function meaning(facts, step, pointer) {
  if (!pointer || !facts.steps[step]) return NOTHING;
  if (pointer.type === "handle") return ofHandle(facts, step, pointer);
  if (pointer.type === "op") return ofOp(facts, step, pointer.op);
  if (pointer.type === "line") return ofLine(facts, step, pointer.line);
  return ofFileLine(facts, step, pointer);
}

function ofHandle(facts, step, { name, line }) {
  const handle = facts.handle(step, name, line);
  if (!handle) return { ...NOTHING, handles: [name], texts: [whenValid(facts, name)] };
  const spans = facts.spans(step, handle[2]);
  const holds = `${name} holds ${count(handle[2].length, "op")}`;
  const where = spans.length ? `: ${firstWords(facts, step, spans)}` : "";
  return {
    ...NOTHING,
    lines: linesOf(spans),
    ops: handle[2],
    handles: [name],
    texts: [holds + where],
  };
}

function whenValid(facts, name) {
  const valid = facts.validSteps(name);
  if (!valid) return `${name} holds no op`;
  const [first, last] = valid;
  const steps = first === last ? `step ${first}` : `steps ${first} to ${last}`;
  return `${name} is no valid handle after this step; it is one after ${steps}`;
}

function ofOp(facts, step, op) {
  const spans = facts.spans(step, [op]);
  if (!spans.length) return { ...NOTHING, texts: ["this op is not in the IR after this step"] };
  const found = ofLine(facts, step, spans[0][0]);
  const texts = found.texts.length ? found.texts : ["no handle holds this op"];
  return {
    ...found,
    lines: linesOf(spans),
    ops: [op],
    texts: [firstWords(facts, step, spans), ...texts],
  };
}

function ofLine(facts, step, line) {
  const { op, inside, handles } = facts.holders(step, line);
  const names = [...new Set(handles.map(([name]) => name))];
  const texts = [];
  if (names.length)
    texts.push(
      `${inside ? "inside an op that" : "an op that"} ${list(names)} ${names.length > 1 ? "hold" : "holds"}`,
    );
  const origin = facts.origin(step, line);
  const { source, schedule, payload } = origin;
  if (source !== null) {
    const text = facts.text(origin.sourceStep)?.[source]?.trim() ?? "";
    texts.push(`Triton line ${source + 1}: ${text}`);
  }
  if (schedule) texts.push(`${facts.placeText(schedule)}: ${facts.placeLine(schedule)}`);
  if (payload) texts.push(`${facts.placeText(payload)}: ${shortened(facts.placeLine(payload))}`);
  return {
    lines: op === null || !names.length ? [line] : linesOf(facts.spans(step, [op])),
    ops: op === null ? [] : [op],
    handles: names,
    places: [schedule, payload].filter(Boolean),
    sourceLine: source,
    texts,
  };
}

function ofFileLine(facts, step, { file, line }) {
  const lines = facts.linesFrom(step, file, line);
  if (lines.length) {
    const text = `${facts.placeText([file, line])} made ${count(lines.length, "line")}`;
    return { ...NOTHING, lines, texts: [text] };
  }
  const made = facts.steps[step].handles.filter(
    ([, place, ops]) => place && place[0] === file && place[1] === line && ops.length,
  );
  const ops = made.flatMap(([, , held]) => held);
  const names = [...new Set(made.map(([name]) => name))];
  const texts = made.map(([name, , held]) => `${name} holds ${count(held.length, "op")}`);
  return { ...NOTHING, lines: linesOf(facts.spans(step, ops)), ops, handles: names, texts };
}

function linesOf(spans) {
  const lines = new Set();
  for (const [first, last] of spans) for (let n = first; n <= last; n++) lines.add(n);
  return [...lines].sort((a, b) => a - b);
}

function firstWords(facts, step, spans) {
  const text = facts.text(step);
  const shown = spans.slice(0, 3).map(([first]) => `line ${first + 1} ${opName(text[first])}`);
  return shown.join(", ") + (spans.length > 3 ? `, and ${spans.length - 3} more` : "");
}

function opName(line) {
  return line.match(/[a-z_]\w*(?:\.\w+)+/)?.[0] ?? "";
}

function count(number, noun) {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}

function list(names) {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function shortened(text) {
  return text.length > 90 ? `${text.slice(0, 90)}…` : text;
}
