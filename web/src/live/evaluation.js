// Asks the server about the present state, a little after each change: check, look, estimate. An answer
// to an older state is dropped.

import { post, Refusal } from "./api.js";

const TYPING_MS = 300;
const CHOOSING_MS = 80;

/**
 * @param {() => {payload: string, schedule: string, point: object}} state
 * @param {{onBegin, onCheck, onLook, onEstimate, onRefusal}} parts what to do with each answer
 */
export function createEvaluation(state, parts) {
  let timer = 0;
  let current = new AbortController();

  async function evaluate() {
    current = new AbortController();
    const { signal } = current;
    const isOld = () => signal.aborted;
    const asked = state();
    const ask = (path, more = {}) => post(path, { ...asked, ...more }, signal);
    parts.onBegin();
    try {
      const checked = await ask("/api/check");
      if (isOld()) return;
      if (parts.onCheck(checked)) return;
      const seen = await ask("/api/look");
      if (isOld()) return;
      if (!parts.onLook(seen)) return;
      const estimate = await ask("/api/estimate");
      if (isOld()) return;
      parts.onEstimate(estimate, !estimate.refused);
      if (estimate.refused) return;
      const compiled = await ask("/api/estimate", { compiled: true });
      if (!isOld()) parts.onEstimate(compiled, false);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!isOld() && error.kind !== "superseded") parts.onRefusal(error);
    }
  }

  const later = (delay) => {
    clearTimeout(timer);
    current.abort(); // answers under way are of an older state
    timer = setTimeout(evaluate, delay);
  };
  return {
    typed: () => later(TYPING_MS),
    chosen: () => later(CHOOSING_MS),
    now: () => later(0),
  };
}
