// What differs between two trials, in numbers and in words. Every word follows from a number.

import { bytes, digits } from "../../common/numbers.js";
import { counted, ms, times } from "../model.js";

const FACTS = [
  ["ms", "time", ms],
  ["final", "time in the final round", ms],
  ["estimate", "estimate of the cost model", ms],
  ["kernels", "kernels", digits],
  ["calls", "library calls", digits],
  ["traffic", "bytes to and from memory (cost model)", bytes],
  ["registers", "registers a thread", digits],
  ["spills", "bytes spilled a thread", digits],
  ["shared", "shared memory of a block", bytes],
  ["wgmma", "wgmma instructions", digits],
  ["tma", "TMA loads", digits],
  ["code", "bytes of machine code", bytes],
  ["spent", "seconds spent on the trial", digits],
];

/** The numbers of two trials: `{name, first, second, differs}`, those that the file has. */
export function facts(model, a, b) {
  return FACTS.map(([column, name, show]) => {
    const [first, second] = [model.number(column, a), model.number(column, b)];
    if (first === null && second === null) return null;
    const shown = (value) => (value === null || value === undefined ? "–" : show(value));
    return { column, name, first: shown(first), second: shown(second), differs: first !== second };
  }).filter(Boolean);
}

/** The choices of two trials: `{name, first, second, differs}`. */
export function choices(model, a, b) {
  return model.choices
    .map(({ name, structure }) => {
      const [first, second] = [model.value(name, a), model.value(name, b)];
      return { name, structure, first, second, differs: first !== second };
    })
    .filter(({ first, second }) => first !== undefined || second !== undefined);
}

/** One sentence or two about `b`, seen from `a`. */
export function sentence(model, a, b) {
  const parts = [ratio(model, a, b)];
  const differing = choices(model, a, b).filter((one) => one.differs);
  if (differing.length) {
    const named = differing.map(({ name, first, second }) => {
      if (second === undefined) return `no ${name}`;
      return first === undefined ? `${name}=${second}` : `${name}=${second} instead of ${first}`;
    });
    parts.push(`It differs in ${listed(named)}.`);
  } else parts.push("Both have the same point.");
  const reasons = explanation(model, a, b, "It");
  return [...parts, reasons].filter(Boolean).join(" ");
}

function ratio(model, a, b) {
  const [first, second] = [model.ms(a), model.ms(b)];
  const [one, other] = [capital(model.name(a)), capital(model.name(b))];
  if (first === null && second === null) return "Both trials failed.";
  if (second === null) return `${other} failed (${model.outcome(b)}).`;
  if (first === null) return `${other} works; ${model.name(a)} failed (${model.outcome(a)}).`;
  if (Math.abs(first / second - 1) < 0.005) return `${one} and ${model.name(b)} are equally fast.`;
  if (second < first) return `${other} is ${times(first / second)} as fast as ${model.name(a)}.`;
  return `${other} takes ${times(second / first)} as long as ${model.name(a)}.`;
}

/**
 * What the programs of two trials differ in, from `b`'s side; empty where nothing is known.
 * @param {string} subject what `b` is called
 */
export function explanation(model, a, b, subject) {
  const found = [];
  const pair = (column) => [model.number(column, a), model.number(column, b)];
  const [l1, l2] = [launches(model, a), launches(model, b)];
  if (l1 && l2 && l1 !== l2) found.push(`runs ${l2} instead of ${l1}`);
  const [t1, t2] = pair("traffic");
  if (t1 && t2 && Math.max(t1 / t2, t2 / t1) >= 1.1) {
    const change = t1 > t2 ? `${times(t1 / t2)} fewer` : `${times(t2 / t1)} more`;
    found.push(`moves ${change} bytes to and from memory (${bytes(t2)} instead of ${bytes(t1)})`);
  }
  const [s1, s2] = pair("spills");
  if (s1 !== null && s2 !== null && s1 !== s2) {
    if (!s2) found.push(`spills nothing instead of ${digits(s1)} bytes a thread`);
    else found.push(`spills ${digits(s2)} bytes a thread instead of ${digits(s1)}`);
  }
  const [r1, r2] = pair("registers");
  if (r1 && r2 && Math.abs(r1 - r2) >= 8)
    found.push(`has ${r2} registers a thread instead of ${r1}`);
  const [m1, m2] = pair("shared");
  if (m1 !== null && m2 !== null && Math.abs(m1 - m2) > 0.1 * Math.max(m1, m2)) {
    found.push(`takes ${bytes(m2)} of shared memory instead of ${bytes(m1)}`);
  }
  const [w1, w2] = pair("wgmma");
  if (w1 !== null && w2 !== null && (w1 === 0) !== (w2 === 0)) {
    found.push(
      w2 ? `has ${w2} wgmma instructions where the other has none` : "has no wgmma instructions",
    );
  }
  const [d1, d2] = pair("tma");
  if (d1 !== null && d2 !== null && (d1 === 0) !== (d2 === 0)) {
    found.push(d2 ? `loads by TMA (${d2} loads)` : "does not load by TMA");
  }
  if (!found.length) return "";
  return `${subject} ${listed(found)}.`;
}

/** `2 kernels`, `1 kernel and 1 library call`; empty where it is not known. */
function launches(model, row) {
  const kernels = model.number("kernels", row);
  if (kernels === null) return "";
  const calls = model.number("calls", row) ?? 0;
  return listed([
    kernels || !calls ? counted(kernels, "kernel") : null,
    calls ? counted(calls, "library call") : null,
  ]);
}

function listed(all) {
  const words = all.filter(Boolean);
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
