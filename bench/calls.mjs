/** What system calls and interrupts cost, beside the same file with them left uninterpreted, and on a file without any. */
import { run } from './measure.mjs';
import { callFrames } from './page.mjs';
import { median } from './plan.mjs';
import { short, table } from './report.mjs';
import { callTraces, mixedCopies } from './traces.mjs';

/**
 * @typedef {object} Measured What `corelane-bench --calls` prints, as bench/native/src/calls.rs says.
 * @property {number} bytes
 * @property {number} records
 * @property {number} calls
 * @property {number} pairs
 * @property {number} plainMs
 * @property {number} scannedMs
 * @property {number} pairedMs
 * @property {number} callBytes
 * @property {number} interruptBytes
 * @property {number} sumBytes
 * @property {readonly { name: string, ms: number, stepMs: number }[]} answers
 */

/**
 * @param {object} of
 * @param {string} of.program
 * @param {string} of.corelane
 * @param {string} of.folder
 * @param {number} of.millions Events of calls.
 * @param {number} of.rounds
 * @param {number} of.seconds Of moving about in Chromium; 0 for none.
 */
export async function callTables({ program, corelane, folder, millions, rounds, seconds }) {
  const { calls, without } = callTraces(folder, millions);
  const mixed = mixedCopies(folder, millions);
  const measured = [
    { name: 'system calls', path: calls },
    { name: 'with interrupts, timers and more', path: mixed },
    { name: 'without such events', path: without },
  ].map(({ name, path }) => {
    console.log(`calls: ${name}`);
    /** @type {Measured[]} */
    const all = Array.from({ length: rounds }, () => JSON.parse(run(program, [path, '--calls'], 'pipe')));
    return { name, all };
  });
  const opening = measured.map(({ name, all }) => {
    const of = (/** @type {(one: Measured) => number} */ value) => median(all.map(value));
    const [first] = all;
    const [plain, both] = [of(({ plainMs }) => plainMs), of(({ scannedMs, pairedMs }) => scannedMs + pairedMs)];
    return [
      name,
      ...[first?.records, first?.calls, first?.pairs].map((count) => short(count ?? Number.NaN)),
      ...[plain, of(({ scannedMs }) => scannedMs), of(({ pairedMs }) => pairedMs), both / plain].map(short),
      short(of(({ callBytes, calls: count }) => callBytes / count)),
      short(of(({ sumBytes, calls: count }) => sumBytes / count)),
      short(of(({ interruptBytes, pairs }) => interruptBytes / pairs)),
    ];
  });
  const heads = [
    ...['opening', 'events', 'calls', 'interrupts', 'uninterpreted, ms', 'with their rows', 'pairing', 'in all, times'],
    ...['bytes/call', 'sums, bytes/call', 'bytes/interrupt'],
  ];
  const tables = measured.slice(0, 2).map(({ name, all }) => {
    const names = all[0]?.answers.map(({ name: asked }) => asked) ?? [];
    const rows = names.map((asked, index) => {
      const of = (/** @type {'ms' | 'stepMs'} */ value) =>
        short(median(all.map((one) => one.answers[index]?.[value] ?? Number.NaN)));
      return [asked, of('ms'), of('stepMs')];
    });
    return table([name, 'ms', 'longest step, ms'], rows);
  });
  const parts = [table(heads, opening), ...tables];
  if (seconds > 0) parts.push(await callFrames(mixed, seconds, busiest(corelane, mixed)));
  return parts.join('\n\n');
}

/** Task lanes on a screen. */
const LANES = 40;

/**
 * The threads that are longest in calls.
 * @param {string} corelane
 * @param {string} path
 * @returns {number[]}
 */
function busiest(corelane, path) {
  /** @type {{ threads: { pid: number, in_calls_ns: number }[] }} */
  const { threads } = JSON.parse(run(corelane, ['syscalls', path, '--json', '--top', '1', '--quiet'], 'pipe'));
  const sorted = threads.toSorted((one, other) => other.in_calls_ns - one.in_calls_ns);
  return sorted.slice(0, LANES).map(({ pid }) => pid);
}
