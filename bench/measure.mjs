/** One round of each contestant on one file, each in a separate process. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const REPO = join(import.meta.dirname, '..');

/**
 * @typedef {object} Round What the native program and bench/round.mjs print.
 * @property {number} bytes Of the file.
 * @property {number} cpus
 * @property {number} records
 * @property {number} schedEvents
 * @property {number} scanMs Processor time, as of buildMs: open, read and scan all CPUs, and hand them to the builder.
 * @property {number} buildMs
 * @property {number} [heldBytes] Natively: allocated for the built trace and its view, ready for queries.
 * @property {number} [storedBytes] Natively: of the stored model.
 * @property {number} [restoreMs] Natively: from the stored model to where the build ends.
 * @property {number} peakBytes Natively: the most ever allocated; in wasm: the size of its memory.
 * @property {readonly { zoom: number, level: number, cellsMs: number, curveMs: number }[]} queries
 * @property {readonly JobTimes[]} jobs
 * @property {number} [explainMs] Natively: 95 of 100 runs are explained within that.
 * @property {RawTimes} [raw] Natively.
 */

/**
 * @typedef {object} JobTimes A long question.
 * @property {string} name
 * @property {number} totalMs
 * @property {number} stepMs The longest step: another query waits at most this long, plus a slice.
 */

/**
 * @typedef {object} RawTimes What raw records cost, as bench/native/src/records.rs measures it.
 * @property {number} mergeMs Unpack and merge all.
 * @property {number} windowMs Go to the middle, read a millisecond.
 * @property {number} orderMs
 * @property {number} indexBytes For each record, as of listBytes.
 * @property {number} listBytes
 * @property {number} rowsMs A screen of rows at a random place.
 * @property {number} nameFilterPerS
 * @property {number} taskFilterPerS
 * @property {number} textSearchPerS
 */

/**
 * Runs a program to its end and returns what it printed; throws when it fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {'pipe' | 'ignore'} stdout
 * @returns {string}
 */
export function run(command, args, stdout) {
  const {
    status,
    stdout: out,
    error,
  } = spawnSync(command, args, {
    cwd: REPO,
    encoding: 'utf8',
    stdio: ['ignore', stdout, 'inherit'],
    maxBuffer: 1 << 26,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit ${status}`);
  return out;
}

/** Builds the wasm module, so that the current sources are measured in wasm too. */
export const buildWasm = () => run('node', [join('scripts', 'build-wasm.mjs')], 'ignore');

/**
 * Builds a program of the workspace for speed and returns its path.
 * @param {string} crate
 * @param {string} program
 */
export function buildRelease(crate, program) {
  run('cargo', ['build', '--quiet', '--release', '--locked', '--package', crate], 'ignore');
  const out = run('cargo', ['metadata', '--format-version', '1', '--no-deps', '--locked'], 'pipe');
  return join(JSON.parse(out).target_directory, 'release', program);
}

/**
 * @param {string} program
 * @param {string} file
 * @returns {Round}
 */
export const nativeRound = (program, file) => JSON.parse(run(program, [file], 'pipe'));

/**
 * @param {string} file
 * @returns {Round}
 */
export const wasmRound = (file) => JSON.parse(run('node', [join(import.meta.dirname, 'round.mjs'), file], 'pipe'));

/**
 * Milliseconds of processor time of `trace-cmd report` on the file; its text is discarded.
 * @param {string} file
 */
export const traceCmdRound = (file) => processorMs('trace-cmd', ['report', '-i', file]);

/**
 * The same for `corelane report`.
 * @param {string} program
 * @param {string} file
 */
export const reportRound = (program, file) => processorMs(program, ['report', file]);

/**
 * Milliseconds of processor time, over all threads, that a program takes.
 * @param {string} program
 * @param {readonly string[]} args
 */
export function processorMs(program, args) {
  const out = run('sh', ['-c', '"$@" > /dev/null && times', 'sh', program, ...args], 'pipe');
  // The second line is about the children: user and system time, as 0m7.95s 0m0.21s.
  const children = out.trim().split('\n')[1] ?? '';
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, time) => sum + Number(time[1]) * 60e3 + Number(time[2]) * 1e3,
    0,
  );
}

export const hasTraceCmd = () => spawnSync('trace-cmd', ['--version'], { stdio: 'ignore' }).error === undefined;
