// What several parts of the page ask about a model.

import { time } from "../common/numbers.js";

/** @param {object} data the page's data; see docs/explorer_data.md */
export function factsOf(data) {
  const lines = new Map(data.lines.map((line) => [lineKey(line.file, line.line), line]));
  const sorts = new Map();
  data.kernels.forEach((kernel, index) => {
    sorts.set(kernel.sort, [...(sorts.get(kernel.sort) ?? []), index]);
  });
  const total = data.totals.seconds;
  return {
    data,
    lines,
    /** The numbers of the kernels that are equal to one, itself too. */
    equal: (index) => sorts.get(data.kernels[index].sort),
    share: (seconds) => (total > 0 && seconds !== null ? seconds / total : null),
    percent: percentText,
    place: (place) => placeText(data, place),
    title: (kernel) => kernel.ops.join(" + ") || kernel.name,
    time: (seconds) => (seconds === null ? "not measured" : time(seconds)),
    /** `time` says how it was found: a column's or a card's name. */
    clock: data.totals.measured ? "time" : "estimate",
  };
}

export function lineKey(file, line) {
  return `${file}:${line}`;
}

/** A share without digits that say nothing. */
function percentText(share) {
  if (share === null) return "";
  if (share > 0 && share < 0.001) return "< 0.1%";
  return share < 0.1 ? `${Number((100 * share).toFixed(1))}%` : `${Math.round(100 * share)}%`;
}

function placeText(data, place) {
  return place ? `${data.files[place[0]].name}:${place[1]}` : "";
}
