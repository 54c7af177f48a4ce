/** The traces that are measured. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { buildRelease, run } from './measure.mjs';

const REPO = join(import.meta.dirname, '..');
const FIXTURE = 'barrier128-after-sleep.dat';
/** CPUs of the large traces: copies of the machine of smaller recordings. */
const CPUS = 128;

/**
 * @typedef {object} BenchTrace
 * @property {string} name
 * @property {string} path
 * @property {boolean} recorded As it was recorded: figures and raw records are measured on those.
 */

/** @typedef {{ readonly path: string, readonly cpus: number }} Recording */

/** @param {string} name Of a recording that is not in the repository. */
export function recording(name) {
  const path = join(env.CORELANE_TRACES ?? join(REPO, '../shared/traces'), name);
  return existsSync(path) ? path : undefined;
}

const fixture = (/** @type {string} */ name) => join(REPO, 'tests/fixtures', name);

/** The largest recording of scheduling events alone. */
const sched = () => ({ path: recording('big128.dat') ?? fixture(FIXTURE), cpus: 128 });

/** A small one, for copies of any size. The fixture's pages are not full: its copies are twice as large. */
function small() {
  const hackbench = recording('hackbench-8cpu-sleep.dat');
  return hackbench ? { path: hackbench, cpus: 8 } : { path: fixture(FIXTURE), cpus: 128 };
}

/** With system calls, interrupts, timers and more; in the repository there are only interrupts, of a 32-bit machine. */
function mixed() {
  const everything = recording('everything-8cpu.dat');
  return everything ? { path: everything, cpus: 8 } : { path: fixture('barrier-i686.dat'), cpus: 2 };
}

/** With system calls, and the share of its events that these are; in the repository there is only a short one. */
function calling() {
  const schedmix = recording('schedmix-aarch64.dat');
  if (schedmix !== undefined) return { path: schedmix, cpus: 4, share: 473_024 / 720_837 };
  return { path: fixture('sysmix-4cpu.dat'), cpus: 4, share: 2937 / 11_837 };
}

/**
 * Writes copies of a recording with system calls, and of one without any.
 * @param {string} folder
 * @param {number} millions Events of calls, at least; of the other one, events.
 */
export function callTraces(folder, millions) {
  const { share, ...recording } = calling();
  const [calls, without] = ['calls.dat', 'no-calls.dat'].map((name) => join(folder, name));
  replicate(recording, calls ?? '', millions / share, { cpus: recording.cpus });
  replicate(small(), without ?? '', millions, { cpus: 8 });
  return { calls: calls ?? '', without: without ?? '' };
}

/**
 * Writes copies of a recording with interrupts, timers and more besides calls, of a large machine.
 * @param {string} folder
 * @param {number} millions Events.
 */
export function mixedCopies(folder, millions) {
  const path = join(folder, 'mixed.dat');
  replicate(mixed(), path, millions);
  return path;
}

/**
 * Recordings as they are, copies of them of any size, and a synthetic trace.
 * @param {string} folder For what has to be made.
 * @param {number} large Million events of the large ones; 0 for none.
 * @param {(name: string) => boolean} wanted
 * @returns {BenchTrace[]}
 */
export function traces(folder, large, wanted) {
  const big = recording('big128.dat');
  if (big === undefined)
    console.log('big128.dat is missing: not measured, and the large traces are copies of a fixture');
  /** @type {[string, (path: string) => string | undefined][]} */
  const made = [
    [`sched, ${large} M`, (path) => replicate(sched(), path, large)],
    [`sched, ${large} M, zstd`, (path) => replicate(sched(), path, large, { packed: true })],
    [`system calls and interrupts, ${large} M`, (path) => replicate(mixed(), path, large)],
    [`system calls and interrupts, ${large} M, zstd`, (path) => replicate(mixed(), path, large, { packed: true })],
    [`512 CPUs, ${large / 2} M`, (path) => replicate(small(), path, large / 2, { cpus: 512 })],
    [`synthetic, ${large} M`, (path) => synthetic(path, large)],
  ];
  return [
    { name: FIXTURE, path: fixture(FIXTURE), recorded: true },
    ...(big === undefined ? [] : [{ name: 'big128.dat', path: big, recorded: true }]),
    ...made.flatMap(([name, make], index) => {
      const path = join(folder, `large-${index}.dat`);
      if (large === 0 || !wanted(name)) return [];
      console.log(`writing ${name}`);
      make(path);
      return [{ name, path, recorded: false }];
    }),
  ].filter(({ name }) => wanted(name));
}

/**
 * Traces of 8, 128 and 512 CPUs for the page: recordings, and copies of them.
 * @param {string} folder
 * @param {number} large As for `traces`.
 * @returns {{ name: string, path: string }[]}
 */
export function pageTraces(folder, large) {
  const big = recording('big128.dat') ?? fixture(FIXTURE);
  const eight = recording('hackbench-8cpu-sleep.dat') ?? fixture('forkpipe-8cpu.dat');
  const made = /** @type {const} */ ([
    [`128 CPUs, ${large} M`, sched(), large, 128],
    [`512 CPUs, ${large / 2} M`, small(), large / 2, 512],
  ]);
  const copies = made.map(([name, recording, millions, cpus], index) => {
    const path = join(folder, `page-${index}.dat`);
    replicate(recording, path, millions, { cpus });
    return { name, path };
  });
  return [{ name: '8 CPUs', path: eight }, { name: '128 CPUs', path: big }, ...copies];
}

const tracegen = () => buildRelease('tracegen', 'tracegen');

/**
 * Writes a recording often enough: copies in time, and machines beside each other.
 * @param {Recording} recording
 * @param {string} path
 * @param {number} millions Events, at least.
 * @param {{ packed?: boolean, cpus?: number }} [options]
 */
function replicate(recording, path, millions, { packed = false, cpus = CPUS } = {}) {
  const machines = Math.max(1, Math.floor(cpus / recording.cpus));
  const shape = packed ? ['--version', '7', '--compression', 'zstd'] : ['--version', '6'];
  const size = ['--machines', `${machines}`, '--events', `${Math.round(millions * 1e6)}`];
  return run(tracegen(), ['replicate', recording.path, ...size, ...shape, '-o', path], 'ignore');
}

/**
 * Writes copies of the scheduling events of a small recording, not packed.
 * @param {string} path
 * @param {number} millions Events, at least.
 */
export const schedCopies = (path, millions) => replicate(small(), path, millions);

/** Million events of the traces that are profiled: some seconds of a simulated processor. */
const PROFILED = 1;

/**
 * Small copies of recordings whose stages are profiled.
 * @param {string} folder
 * @returns {{ name: string, path: string }[]}
 */
export function profiled(folder) {
  const all = /** @type {const} */ ([
    ['sched', small(), false],
    ['sched, zstd', small(), true],
    ['system calls and interrupts', mixed(), false],
  ]);
  return all.map(([name, recording, packed], index) => {
    const path = join(folder, `profiled-${index}.dat`);
    replicate(recording, path, PROFILED, { packed });
    return { name, path };
  });
}

/**
 * Version 6, which is never packed.
 * @param {string} path
 * @param {number} millions Events.
 */
const synthetic = (path, millions) =>
  run(tracegen(), ['large', '--version', '6', '--events', `${Math.round(millions * 1e6)}`, '-o', path], 'ignore');
