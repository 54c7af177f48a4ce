// @ts-check
// A trace in the formats of other viewers: read again it answers as before, Google's protobuf classes find its events, and
// trace-cmd prints the same lines.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { scratchFile } from '../lib/traceFiles.mjs';
import { compareTexts } from '../report/compare.mjs';
import { output } from '../report/programs.mjs';
import { Batch } from './corelane.mjs';
import { linesOf } from './lines.mjs';
import { ReportReader } from './report.mjs';

const exec = promisify(execFile);

/** What both must answer alike, of the whole trace. */
const LISTS = [
  ['intervals', '--csv'],
  ['states', '--json'],
];
const QUESTIONS = ['latency', 'waits', 'wakes', 'overload', 'placement'];
/** Numbers of `stats` that tell how much of the file was read, or what the format cannot tell. */
const OF_FILES = ['diagnostics', 'records', 'lost_events', 'events', 'cannot_tell'];
/** Chains of each trace that are compared. */
const CHAINS = 12;
/** Differences of a trace that are kept. */
const KEPT = 5;

/**
 * @typedef {object} Programs
 * @property {string} binary
 * @property {boolean} traceCmd
 * @property {boolean} google the pip package `perfetto` is there
 */

/** Whether Google's classes are installed. */
export async function hasGoogle() {
  return exec('python3', ['-c', 'import perfetto.protos.perfetto.trace.perfetto_trace_pb2']).then(
    () => true,
    () => false,
  );
}

/**
 * A trace of the scheduler's, by its path: what differs in what is written of it. Of other formats than trace.dat a Perfetto trace
 * has less: their topology, and when what is no event of the scheduler's was.
 *
 * @param {Programs} programs
 * @param {string} trace
 * @returns {Promise<{differences: string[], summary: string}>}
 */
export async function checkExports(programs, trace) {
  const { binary, traceCmd, google } = programs;
  const [pftrace, dat6, dat7] = ['out.pftrace', '6.dat', '7.dat'].map(scratchFile);
  /** @type {string[]} */
  const differences = [];
  const done = [];
  const run = (/** @type {string[]} */ ...args) => exec(binary, ['--quiet', ...args], { maxBuffer: 2 ** 28 });
  try {
    const { stdout } = await run('info', '--json', trace);
    const info = JSON.parse(stdout);
    const instances = (info.buffers ?? [])
      .map((/** @type {any} */ { name }) => name)
      .filter((/** @type {string} */ name) => name !== '');
    if (info.clock_is_ns) {
      await run('export', trace, '--perfetto', pftrace.trace);
      if (info.format === 'trace.dat') {
        differences.push(...(await answersOf(binary, trace, pftrace.trace)));
        done.push('Perfetto read again');
      }
      if (google) {
        differences.push(...(await googleDifferences(binary, trace, pftrace.trace, instances)));
        done.push("Google's classes");
      }
    }
    for (const [version, out] of [
      ['6', dat6],
      ['7', dat7],
    ]) {
      // Another version holds the buffer that is shown, and trace-cmd prints ticks otherwise there.
      const isOther = info.format === 'trace.dat' && `${info.version}` !== version;
      if (isOther && (instances.length > 0 || !info.clock_is_ns)) continue;
      const { trace: written } = /** @type {{trace: string}} */ (out);
      await run('export', trace, '--tracedat', written, '--file-version', `${version}`);
      differences.push(...(await lineDifferences(binary, trace, written, traceCmd)));
      done.push(`trace.dat ${version}`);
    }
  } catch (error) {
    differences.push(`${error instanceof Error ? error.message : error}`.slice(0, 500));
  } finally {
    for (const { dispose } of [pftrace, dat6, dat7]) dispose();
  }
  return { differences, summary: done.join(', ') };
}

/** @param {string} binary @param {string} trace @param {string} written */
async function answersOf(binary, trace, written) {
  const [before, after] = [new Batch(binary, trace), new Batch(binary, written)];
  /** @type {string[]} */
  const differences = [];
  /** @param {string} name @param {string} left @param {string} right */
  const compare = (name, left, right) => {
    if (left === right) return;
    const [lines, others] = [left.split(/\n|(?<=\}),/), right.split(/\n|(?<=\}),/)];
    const at = lines.findIndex((line, index) => line !== others[index]);
    differences.push(`${name}, line ${at + 1}: ${others[at]}, not ${lines[at]}`.slice(0, 600));
  };
  try {
    for (const words of LISTS) {
      // A large trace has more text than a string holds.
      const [left, right] = await Promise.all([before, after].map((batch) => digest(batch, words)));
      if (left === right) continue;
      compare(words.join(' '), await before.text(...words), await after.text(...words));
    }
    const both = (/** @type {string[]} */ ...[command, ...args]) =>
      Promise.all([before, after].map((batch) => batch.json(command, ...args).then(text, String)));
    for (const command of QUESTIONS) {
      const [left, right] = await both(command);
      compare(command, left, right);
    }
    const [stats, again] = await Promise.all([before, after].map((batch) => batch.json('stats')));
    for (const name of Object.keys(stats).filter((name) => !OF_FILES.includes(name))) {
      compare(`${name} of stats`, text(stats[name]), text(again[name]));
    }
    for (let chain = 1; chain <= CHAINS; chain++) {
      const at = (stats.wall_ns * chain) / (CHAINS + 1) / 1e9;
      const words = ['chain', `--cpu=${chain % stats.cpus}`, `--at=${at.toFixed(9)}`, '--hops=50'];
      const [left, right] = await both(...words);
      compare(words.join(' '), left, right);
    }
  } finally {
    before.close();
    after.close();
  }
  return differences.slice(0, KEPT);
}

/** @param {Batch} batch @param {string[]} words */
async function digest(batch, words) {
  const hash = createHash('sha256');
  await batch.lines((line) => hash.update(`${line}\n`), ...words);
  return hash.digest('hex');
}

/** @param {unknown} value */
const text = (value) => JSON.stringify(value, (_, field) => (typeof field === 'bigint' ? `${field}` : field));

/**
 * The lines that `corelane report` prints of the trace, and trace-cmd of what was written of it.
 *
 * @param {string} binary @param {string} trace @param {string} written @param {boolean} traceCmd
 */
async function lineDifferences(binary, trace, written, traceCmd) {
  const ours = output(binary, ['--quiet', 'report', '-t', trace]);
  const theirs = traceCmd
    ? output('trace-cmd', ['report', '-t', '-i', written])
    : output(binary, ['--quiet', 'report', '-t', written]);
  /** @type {string[]} */
  const found = [];
  const lines = await compareTexts(theirs, ours, ({ line, expected, actual }) => {
    if (found.length < KEPT) found.push(`${path.basename(written)}, line ${line}: ${actual}, not ${expected}`);
  });
  return lines === 0 ? ['no lines'] : found;
}

/**
 * The scheduler's events as Google's classes decode them, against those of the trace's report, and how many others there are.
 *
 * @param {string} binary @param {string} trace @param {string} written @param {string[]} instances
 */
async function googleDifferences(binary, trace, written, instances) {
  const reader = new ReportReader(instances);
  await linesOf(binary, ['--quiet', 'report', trace, '--raw', '-t', '--latency'], (line) => reader.push(line));
  // As they are: what follows from them is of no interest.
  const { events, byName, origin } = reader.report;
  const [expected, found] = [new Lists(), new Lists()];
  const kinds = new Set();
  for (const event of events.filter(({ kind }) => kind !== 'lost')) {
    const { cpu, kind, pid, comm, next, nextComm, target = 0, by, flags = 0 } = event;
    kinds.add(kind);
    expected.add(`${cpu}`, [origin + BigInt(event.t), kind, pid, comm, next, nextComm, target, by, flags].join('\t'));
  }
  /** @type {Map<string, number>} */
  const counts = new Map();
  await linesOf('python3', [path.join(import.meta.dirname, 'googleEvents.py'), written], (line) => {
    const [, cpu, words, kind] = /^(\d+)\t(\d+\t([^\t]*).*)$/.exec(line) ?? [];
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (kinds.has(kind)) found.add(cpu, words);
  });
  const differences = [];
  for (const [cpu, events] of expected.all) {
    const others = found.all.get(cpu) ?? [];
    const at = events.findIndex((event, index) => event !== others[index]);
    if (at !== -1) differences.push(`Google's classes, CPU ${cpu}: ${others[at]}, not ${events[at]}`);
    if (others.length !== events.length) {
      differences.push(`Google's classes, CPU ${cpu}: ${others.length} events, not ${events.length}`);
    }
  }
  for (const [name, count] of byName) {
    if (counts.get(name) !== count) differences.push(`Google's classes: ${counts.get(name)} ${name}, not ${count}`);
  }
  return differences.slice(0, KEPT);
}

/** Texts by a key. */
class Lists {
  /** @type {Map<string, string[]>} */
  all = new Map();

  /** @param {string} key @param {string} text */
  add(key, text) {
    const list = this.all.get(key);
    if (list === undefined) this.all.set(key, [text]);
    else list.push(text);
  }
}
