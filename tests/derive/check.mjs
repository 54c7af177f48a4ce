// @ts-check
// Compares one trace: what its text says, and what `corelane` says.

import { compareCalls } from './callDifferences.mjs';
import { CallReader } from './calls.mjs';
import { Batch } from './corelane.mjs';
import { compareInfo, compareStats, Differences, intervalComparison } from './differences.mjs';
import { deriveNumbers, deriveTrace } from './numbers.mjs';
import { comparePairs, PairsReader } from './pairs.mjs';
import { QueryComparison } from './queryDifferences.mjs';
import { ReportReader } from './report.mjs';
import { compareStates } from './stateDifferences.mjs';
import { schedYield } from './yields.mjs';

/**
 * @param {string} binary the program under test
 * @param {import('./sources.mjs').Source} source
 * @param {boolean} onlyCalls whether only system calls and pairs of events are compared
 * @returns {Promise<{differences: string[], summary: string}>}
 */
export async function check(binary, { facts, unpack, report, printFmt }, onlyCalls = false) {
  const { trace, dispose } = unpack();
  const differences = new Differences();
  const corelane = new Batch(binary, trace);
  try {
    const instances = Object.keys(facts.instance_event_counts ?? {});
    const info = await corelane.json('info');
    const reader = new ReportReader(instances, schedYield(info.uname));
    const [calls, pairs] = [new CallReader(instances), new PairsReader()];
    await report(trace, (line) => {
      reader.push(line);
      calls.push(line);
      if (!reader.isOfInstance(line)) pairs.push(line);
    });
    const derived = deriveTrace(reader.finish(), await printFmt(trace));
    compareInfo(differences, derived, facts, info);
    /** A time as options have it. @param {bigint} time */
    const option = (time) => (info.clock_is_ns ? seconds(time) : `${time}`);
    if (onlyCalls) {
      await comparePairs(differences, pairs, corelane, info, option);
      await compareCalls(differences, derived, calls, corelane, option);
      return {
        differences: differences.found,
        summary: `${calls.events.length} events, ${differences.compared} values`,
      };
    }
    const queries = new QueryComparison(differences, derived, corelane, option);
    for (const { args, selection, queried } of selections(derived, option)) {
      const name = ['stats', ...args].join(' ');
      const stats = await corelane.json('stats', ...args);
      compareStats(differences, name, derived.report.origin, deriveNumbers(derived, selection), stats);
      if (queried) await queries.selection(args, selection);
    }
    await queries.whole();
    await comparePairs(differences, pairs, corelane, info, option);
    const comparison = intervalComparison(differences, derived);
    let header = true;
    await corelane.lines(
      (row) => {
        if (!header) comparison.push(row);
        header = false;
      },
      'intervals',
      '--csv',
    );
    const intervals = comparison.finish();
    const states = await compareStates(differences, derived, corelane);
    await compareCalls(differences, derived, calls, corelane, option);
    const { records, lostGaps } = derived.report;
    const gaps = lostGaps > 0 ? `, ${lostGaps} gaps` : '';
    const summary = `${records} records${gaps}, ${intervals} intervals, ${states} states, ${differences.compared} values`;
    return { differences: differences.found, summary };
  } catch (error) {
    return { differences: [`${error}`], summary: 'stopped' };
  } finally {
    corelane.close();
    dispose();
  }
}

/**
 * The selections of `corelane stats` that are compared, and what they mean. Not every selection is queried for
 * everything in every trace.
 *
 * @param {import('./numbers.mjs').DerivedTrace} derived
 * @param {(time: bigint) => string} option
 * @returns {Generator<{args: string[], selection: import('./numbers.mjs').Selection, queried: boolean}>}
 */
function* selections({ afterSleep, report: { first, last, cpus, records }, story }, option) {
  yield { args: [], selection: {}, queried: true };
  if (afterSleep !== undefined) yield { args: ['--after-sleep'], selection: { from: afterSleep }, queried: false };
  // The name of the task in the middle, its first letter, its pid.
  const { pid, comm } = story.tasks[story.tasks.length >> 1] ?? { pid: 1, comm: '' };
  /** @type {[string, import('./numbers.mjs').Selection][]} */
  const byTask = [
    ['--forked', { forked: true }],
    ['--movable', { movable: true }],
    ['--cpu=0,2-3', { cpus: [0, 2, 3].filter((cpu) => cpu < cpus) }],
    [`--comm=${comm}`, { comms: [comm] }],
    [`--target=${comm.slice(0, 1)}`, { target: comm.slice(0, 1) }],
    [`--pid=${pid}`, { pids: [pid] }],
  ];
  for (const [index, [arg, selection]] of byTask.entries()) {
    yield { args: [arg], selection, queried: index === records % byTask.length };
  }
  // The middle half.
  const [min, max] = [1, 3].map((quarters) => Math.floor(((last - first) * quarters) / 4));
  if (min === max) return;
  const args = ['--min', option(BigInt(min)), '--max', option(BigInt(max))];
  yield { args, selection: { from: first + min, to: first + max }, queried: true };
}

/** @param {bigint} ns */
function seconds(ns) {
  return `${ns / 1_000_000_000n}.${String(ns % 1_000_000_000n).padStart(9, '0')}`;
}
