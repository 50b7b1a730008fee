// The texts of a trial: its steps, which are stored as differences, and its schedule with the choices
// that it made.

/**
 * The steps of a trial: `{title, origin, lines}`.
 * @param {{steps: any[]}} program
 * @param {string[]} text the table of lines
 */
export function stepsOf(program, text) {
  let lines = [];
  return program.steps.map(({ title, origin, hunks }) => {
    const next = [];
    let at = 0;
    for (const [from, to, ranges] of hunks) {
      next.push(...lines.slice(at, from));
      for (let place = 0; place < ranges.length; place += 2) {
        next.push(...text.slice(ranges[place], ranges[place] + ranges[place + 1]));
      }
      at = to;
    }
    next.push(...lines.slice(at));
    lines = next;
    return { title, origin, lines };
  });
}

/** The schedule of a trial: for each line its text, whether it is in a branch not taken, and choices. */
export function scheduleLines(model, row) {
  const found = model.run.schedule_text;
  if (!found) return null;
  const lines = found.lines.map((text) => ({ text, isDim: false, chosen: [] }));
  for (const { name, line, branches } of found.choices) {
    const value = model.byName.has(name) ? model.value(name, row) : undefined;
    if (value === undefined) continue;
    lines[line].chosen.push([name, value]);
    for (const [label, [first, last]] of Object.entries(branches)) {
      if (label === String(value)) continue;
      for (let place = first; place <= last; place++) lines[place].isDim = true;
    }
  }
  return lines;
}

/** The lines of the schedule that apply to a trial: those of the branches that it takes. */
export function takenLines(model, row) {
  return (
    scheduleLines(model, row)
      ?.filter((line) => !line.isDim)
      .map(({ text, chosen }) => {
        const named = chosen.map(([name, value]) => `${name} = ${value}`).join(", ");
        return named ? `${text}   // ${named}` : text;
      }) ?? null
  );
}
