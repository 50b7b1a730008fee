// Numbers as people read them.

/** 1234567 bytes: `1.23 MB`. */
export function bytes(count) {
  return scaled(count, ["B", "kB", "MB", "GB", "TB"]);
}

/** Floating-point operations: `4.3 GFLOP`. */
export function flops(count) {
  return scaled(count, ["FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP"]);
}

/** Seconds in the unit that fits: `12.3 us`. */
export function time(seconds) {
  if (seconds === null || seconds === undefined) return "unknown";
  if (seconds >= 1) return `${digits(seconds)} s`;
  if (seconds >= 1e-3) return `${digits(seconds * 1e3)} ms`;
  return `${digits(seconds * 1e6)} µs`;
}

/** A share of one: `12%`. */
export function percent(share) {
  return `${digits(100 * share)}%`;
}

/** Three significant digits, with thousands apart. */
export function digits(value) {
  if (value === 0) return "0";
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(3)));
}

function scaled(count, units) {
  let value = count;
  let unit = 0;
  while (Math.abs(value) >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${digits(value)} ${units[unit]}`;
}
