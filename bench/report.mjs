/** Text tables, and the checks of ratios. */

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows The first column is text, the others are numbers.
 */
export function table(head, rows) {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (/** @type {readonly string[]} */ cells) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/**
 * A number with three significant digits, in thousands or millions where it is large.
 * @param {number} value
 */
export function short(value) {
  if (!Number.isFinite(value)) return '-';
  const [scaled, unit] = value < 1e4 ? [value, ''] : value < 1e6 ? [value / 1e3, ' k'] : [value / 1e6, ' M'];
  return `${scaled < 100 ? Number(scaled.toPrecision(3)) : Math.round(scaled)}${unit}`;
}

/**
 * @typedef {object} Check
 * @property {string} name
 * @property {number} value
 * @property {number} aim
 * @property {number} bound Beyond this the bench fails: generous, because machines are noisy.
 * @property {'at least' | 'at most'} direction
 */

/** @param {Check} check */
export const holds = ({ value, bound, direction }) => (direction === 'at least' ? value >= bound : value <= bound);

/** @param {readonly Check[]} checks */
export function checkTable(checks) {
  return table(
    ['check', 'measured', 'aim', 'bound', ''],
    checks.map((check) => [
      check.name,
      short(check.value),
      `${check.direction} ${short(check.aim)}`,
      short(check.bound),
      holds(check) ? 'ok' : 'BROKEN',
    ]),
  );
}
