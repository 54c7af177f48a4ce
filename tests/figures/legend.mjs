// @ts-check
// Compares the printed legend of commands with the derivation's table.

import { expectedCommands } from './expected.mjs';

/**
 * @typedef {import('../derive/differences.mjs').Differences} Differences
 * @typedef {import('../derive/numbers.mjs').DerivedTrace} DerivedTrace
 * @typedef {import('../derive/numbers.mjs').Selection} Selection
 * @typedef {import('./picture.mjs').Legend} Legend
 */

/** Seconds of a unit. */
const UNITS = new Map([
  ['s', 1e9],
  ['ms', 1e6],
  ['µs', 1e3],
  ['ns', 1],
  // Of a clock that counts raw ticks.
  ['ticks', 1],
]);

/**
 * A printed time, and half of its last digit, in ns.
 *
 * @param {string} number
 * @param {string} unit
 */
function time(number, unit) {
  const scale = UNITS.get(unit);
  if (scale === undefined) throw new Error(`${unit} is no unit of time`);
  const plain = number.replaceAll(/[\u2009\u202f ,]/g, '').replace('−', '-');
  const digits = plain.split('.')[1]?.length ?? 0;
  return { ns: Number(plain) * scale, slack: (10 ** -digits * scale) / 2 };
}

/**
 * The numbers of one row: first and last, execution time, switches to, PIDs.
 *
 * @param {string[]} cells
 */
export function readRow(cells) {
  const [, span = '', execution = '', switches = '', pids = ''] = cells;
  const found = /^(−?[\d.]+)(?: ?([mµn]?s))? ?–(−?[\d.]+) ?([mµn]?s)?$/.exec(span);
  const ran = /^([\d., \u2009\u202f]+?) ?([mµn]?s|ticks)$/.exec(execution);
  if (!found || !ran) throw new Error(`a legend's row is not understood: ${JSON.stringify(cells)}`);
  const [, first, firstUnit, last, lastUnit] = found;
  const unit = lastUnit ?? firstUnit ?? (ran[2] === 'ticks' ? 'ticks' : 's');
  const count = (/** @type {string} */ text) => Number(text.replaceAll(/[^\d]/g, ''));
  return {
    first: time(first, firstUnit ?? unit),
    last: time(last, unit),
    execution: time(ran[1], ran[2]),
    switchesTo: count(switches),
    pids: count(pids),
  };
}

/**
 * @param {Differences} differences
 * @param {string} name
 * @param {DerivedTrace} trace
 * @param {Selection} selection what the legend is to count
 * @param {number} zero time 0 of the figure
 * @param {Legend} legend
 */
export function compareLegend(differences, name, trace, selection, zero, legend) {
  const expected = expectedCommands(trace, selection);
  const more = Number(/\d+/.exec(legend.more ?? '')?.[0] ?? 0);
  differences.expect(`${name}: commands`, expected.length, legend.rows.length + more);
  const rows = new Map(expected.map((row) => [row.comm, row]));
  let least = Number.POSITIVE_INFINITY;
  for (const { comm, cells } of legend.rows) {
    const row = rows.get(comm);
    rows.delete(comm);
    if (!row) {
      differences.expect(`${name}: a row of`, undefined, comm);
      continue;
    }
    const told = readRow(cells);
    const close = (
      /** @type {string} */ what,
      /** @type {number} */ ns,
      /** @type {{ns: number, slack: number}} */ said,
    ) => {
      const off = Math.abs(ns - said.ns);
      differences.expect(
        `${name}: ${comm} ${what}`,
        true,
        off <= said.slack * (1 + 1e-9) || `${ns} ns is not ${said.ns}`,
      );
    };
    close('first', row.first - zero, told.first);
    close('last', row.last - zero, told.last);
    close('execution', row.execution, told.execution);
    differences.expect(`${name}: ${comm} switches to`, row.switchesTo, told.switchesTo);
    differences.expect(`${name}: ${comm} PIDs`, row.pids, told.pids);
    differences.expect(`${name}: ${comm} is in order`, true, row.execution <= least);
    least = row.execution;
  }
  // Commands that are only counted ran no longer than those that are listed.
  const longest = Math.max(0, ...[...rows.values()].map(({ execution }) => execution));
  differences.expect(`${name}: unlisted commands ran longer`, false, longest > least);
}
