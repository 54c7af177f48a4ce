// @ts-check
// One trace: what its text says against what `corelane` says.

import { corelaneIntervals, corelaneJson } from './corelane.mjs';
import { compareInfo, compareStats, Differences, intervalComparison } from './differences.mjs';
import { deriveNumbers, deriveTrace } from './numbers.mjs';
import { ReportReader } from './report.mjs';

/**
 * @param {string} binary the program under test
 * @param {import('./sources.mjs').Source} source
 * @returns {Promise<{differences: string[], summary: string}>}
 */
export async function check(binary, { facts, unpack, report, printFmt }) {
  const { trace, dispose } = unpack();
  const differences = new Differences();
  try {
    const reader = new ReportReader(Object.keys(facts.instance_event_counts ?? {}));
    await report(trace, (line) => reader.push(line));
    const derived = deriveTrace(reader.finish(), await printFmt(trace));
    compareInfo(differences, derived, facts, await corelaneJson(binary, ['info', trace]));
    for (const { args, selection } of selections(derived)) {
      const name = ['stats', ...args].join(' ');
      const stats = await corelaneJson(binary, ['stats', trace, ...args]);
      compareStats(differences, name, derived.report.origin, deriveNumbers(derived, selection), stats);
    }
    const comparison = intervalComparison(differences, derived);
    await corelaneIntervals(binary, trace, comparison.push);
    const intervals = comparison.finish();
    const { records, lostGaps } = derived.report;
    const gaps = lostGaps > 0 ? `, ${lostGaps} gaps` : '';
    const summary = `${records} records${gaps}, ${intervals} intervals, ${differences.compared} values`;
    return { differences: differences.found, summary };
  } catch (error) {
    return { differences: [`${error}`], summary: 'stopped' };
  } finally {
    dispose();
  }
}

/**
 * The selections of `corelane stats` that are compared, and what they mean.
 *
 * @param {import('./numbers.mjs').DerivedTrace} derived
 */
function* selections({ afterSleep, report: { first, last } }) {
  yield { args: [], selection: {} };
  yield { args: ['--forked'], selection: { forked: true } };
  if (afterSleep !== undefined) yield { args: ['--after-sleep'], selection: { from: afterSleep } };
  // The middle half.
  const [min, max] = [1, 3].map((quarters) => Math.floor(((last - first) * quarters) / 4));
  if (min === max) return;
  const args = ['--min', seconds(min), '--max', seconds(max)];
  yield { args, selection: { from: first + min, to: first + max } };
}

/** @param {number} ns */
function seconds(ns) {
  return `${Math.floor(ns / 1e9)}.${String(ns % 1e9).padStart(9, '0')}`;
}
