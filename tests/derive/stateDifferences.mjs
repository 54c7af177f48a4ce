// @ts-check
// Compares the lines of `corelane states --json` with the states that were derived.

import { classOf, deriveStates } from './states.mjs';

/**
 * @param {import('./differences.mjs').Differences} differences
 * @param {import('./numbers.mjs').DerivedTrace} trace
 * @param {import('./corelane.mjs').Batch} corelane
 * @returns {Promise<number>} how many states were compared
 */
export async function compareStates(differences, { report, letters }, corelane) {
  const tasks = deriveStates(report, letters);
  const expected = new Map(tasks.map(({ pid, generation, rows }) => [`${pid}#${generation}`, rows]));
  /** @type {Map<string, number>} rows of each task so far */
  const seen = new Map();
  let count = 0;
  const compare = (/** @type {string} */ line) => {
    // A double cannot hold these times, so their digits are compared.
    const actual = JSON.parse(line.replace(/"(start|end)_ns":(\d+)/g, '"$1_ns":"$2"'));
    const key = `${actual.pid}#${actual.generation}`;
    const index = seen.get(key) ?? 0;
    seen.set(key, index + 1);
    count++;
    // A task that appears only as a waker.
    const rows = expected.get(key) ?? [{ start: report.first, end: report.last, state: 'unknown', comm: '' }];
    differences.expect(`state ${index} of ${key}`, told(report.origin, rows[index]), said(actual));
  };
  await corelane.lines(compare, 'states', '--json');
  for (const [key, rows] of expected) differences.expect(`states of ${key}`, rows.length, seen.get(key) ?? 0);
  return count;
}

/**
 * @param {bigint} origin
 * @param {Partial<import('./states.mjs').StateRow> & {start: number, end: number} | undefined} row
 */
function told(origin, row) {
  if (row === undefined) return undefined;
  const { start, end, state, comm, cpu, letters, cause, prio } = row;
  const times = `${origin + BigInt(start)}-${origin + BigInt(end)}`;
  return [times, state, comm, cpu, letters, cause, prio, classOf(prio)].map((value) => value ?? '-').join(' ');
}

/** @param {any} row */
function said({ start_ns, end_ns, state, comm, cpu, letters, cause, prio, class: named }) {
  const times = `${start_ns}-${end_ns}`;
  return [times, state, comm, cpu, letters, cause, prio, named].map((value) => value ?? '-').join(' ');
}
