/** Tables in Markdown, and the checks of ratios. */

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows The first column is text, the others are numbers.
 */
export function table(head, rows) {
  const widths = head.map((title, column) => Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (/** @type {readonly string[]} */ cells) =>
    `| ${widths
      .map((width, column) => (column === 0 ? (cells[0] ?? '').padEnd(width) : (cells[column] ?? '').padStart(width)))
      .join(' | ')} |`;
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
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
