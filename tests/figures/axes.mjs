// @ts-check
// Checks that the labels of axes are true where they are drawn.

/**
 * @typedef {import('../derive/differences.mjs').Differences} Differences
 * @typedef {import('./picture.mjs').Picture} Picture
 * @typedef {import('./picture.mjs').Lanes} Lanes
 */

/** ns of a unit. */
const UNITS = new Map([
  ['s', 1e9],
  ['ms', 1e6],
  ['µs', 1e3],
  ['ns', 1],
]);

/** How many mm a label may be off: its position is printed with few decimals. */
const NEAR = 0.02;

/**
 * Checks that every label of the time axis is at its time, in the unit and from the base that the axis' title gives:
 * `time (µs after 6.5 s)`.
 *
 * @param {Differences} differences
 * @param {string} name
 * @param {{text: string, x: number}[]} labels of one panel
 * @param {string[]} titles of axes
 * @param {Lanes} lanes
 * @param {bigint} zero absolute
 */
export function compareTimes(differences, name, labels, titles, lanes, zero) {
  differences.expect(`${name}: some times`, true, labels.length >= 2);
  const said = titles.map((title) => /^time \(([mµn]?s)(?: after ([\d.]+) ([mµn]?s))?\)/.exec(title)).find(Boolean);
  if (!said) throw new Error(`no axis says what it counts: ${titles}`);
  const [, unit, base = '0', baseUnit = 's'] = said;
  const ns = (/** @type {string} */ number, /** @type {string} */ unit) =>
    Number(number) * (UNITS.get(unit) ?? Number.NaN);
  for (const { text, x } of labels) {
    const at = lanes.mm(zero + BigInt(Math.round(ns(base, baseUnit) + ns(text, unit))));
    differences.expect(`${name}: "${text}" is at its time`, true, Math.abs(at - x) < NEAR || `${x} mm, not ${at}`);
  }
}

/**
 * Checks that every label of a CPU is beside its lane, and that nothing on a lane is outside it.
 *
 * @param {Differences} differences
 * @param {string} name
 * @param {{text: string, y: number}[]} labels of one panel
 * @param {Lanes} lanes
 */
export function compareCpus(differences, name, labels, lanes) {
  differences.expect(`${name}: some CPUs`, true, labels.length > 0);
  for (const { text, y } of labels) {
    const cpu = Number(/\d+/.exec(text)?.[0]);
    const { top, bottom } = laneOf(lanes, cpu);
    // The base line of a text in the middle of a lane is below that middle by a part of the text's height.
    const [middle, pitch] = [(top + bottom) / 2, Math.abs(bottom - top)];
    const ok = Math.abs(y - middle) < Math.max(pitch / 2, 1.3);
    differences.expect(`${name}: "${text}" is beside its lane`, true, ok || `${y} mm, not ${middle}`);
  }
}

/** mm. @param {Lanes} lanes @param {number} cpu */
export function laneOf(lanes, cpu) {
  const row = lanes.rows.indexOf(cpu);
  const [top, bottom] = [lanes.y(100 * row), lanes.y(100 * (row + 1))];
  return { top, bottom, middle: (top + bottom) / 2 };
}
