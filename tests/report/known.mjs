// @ts-check
// Intended differences from trace-cmd. Each needs a reason that a user would accept.

/**
 * @typedef {object} Known
 * @property {string} reason
 * @property {RegExp} [source] name of the trace
 * @property {string} [mode]
 * @property {RegExp} [event]
 * @property {RegExp} [expected] trace-cmd's line
 * @property {RegExp} [actual] corelane's line
 */

/** @type {Known[]} */
const KNOWN = [
  {
    // The fields of a stack are eight callers, but a record has fewer.
    reason: 'trace-cmd prints the memory behind the last record of a page',
    mode: 'report-R',
    event: /^kernel_stack$/,
    expected: / caller=ARRAY\[/,
    actual: / caller=ARRAY\[.* 00, 00, 00, 00\]$/,
  },
];

/**
 * Why a difference is intended, if it is.
 *
 * @param {string} source
 * @param {string} mode
 * @param {import('./compare.mjs').Difference} difference
 */
export function reasonFor(source, mode, difference) {
  const fits = (/** @type {RegExp | undefined} */ pattern, /** @type {string | null} */ text) =>
    pattern === undefined || (text !== null && pattern.test(text));
  return KNOWN.find(
    (known) =>
      fits(known.source, source) &&
      (known.mode === undefined || known.mode === mode) &&
      fits(known.event, difference.event) &&
      fits(known.expected, difference.expected) &&
      fits(known.actual, difference.actual),
  )?.reason;
}
