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
 * @property {number} [openMs] Natively: of the next one, what the file says before its events.
 * @property {number} scanMs Processor time, as of the next two: open, read and scan all CPUs, and hand them to the builder.
 * @property {number} [pageScanMs] Natively: as scanMs, of a scan that keeps what the page's keep.
 * @property {number} buildMs
 * @property {number} [indexMs] The indexes, which the page makes once there is a picture.
 * @property {number} [heldBytes] Natively: allocated for the built trace and its view, ready for questions.
 * @property {number} [storedBytes] Natively: of the stored model.
 * @property {number} [restoreMs] Natively: from the stored model to where the indexes end.
 * @property {number} peakBytes Natively: the most allocated until then; in wasm: the size of its memory.
 * @property {readonly Answered[]} answers In the order of the plan.
 * @property {RawTimes} [raw] Natively.
 */

/**
 * @typedef {object} Answered Milliseconds of the questions of one kind.
 * @property {string} name
 * @property {number} ms 95 of 100 take at most this.
 * @property {number} stepMs The longest step: another question waits at most this long.
 * @property {number} firstMs When they are asked first, with what is made on demand.
 * @property {number} firstStepMs The longest step of any of these.
 */

/**
 * Until anything can be asked of a trace: scan, build and all indexes.
 * @param {Round} round
 */
export const openMs = ({ scanMs, buildMs, indexMs = 0 }) => scanMs + buildMs + indexMs;

/**
 * The same with the page's scan, which also keeps where each record is, and system calls and interrupts.
 * @param {Round} round
 */
export const pageOpenMs = (round) => openMs({ ...round, scanMs: round.pageScanMs ?? round.scanMs });

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

/** Builds the wasm modules, so that the current sources are measured in wasm too. */
export const buildWasm = () => run('node', [join('scripts', 'build-wasm.mjs'), '--bench'], 'ignore');

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
 * @param {readonly string[]} options Of the program.
 * @returns {Round}
 */
export const nativeRound = (program, file, options) => JSON.parse(run(program, [file, ...options], 'pipe'));

/**
 * Milliseconds of processor time of `corelane report` on the file; its text is discarded.
 * @param {string} corelane
 * @param {string} file
 */
export const reportRound = (corelane, file) => processorMs(corelane, ['report', file]);

/**
 * What a plan of questions depends on.
 * @param {string} corelane
 * @param {string} file
 */
export function factsOf(corelane, file) {
  const { first_ns, last_ns, cpus, records } = JSON.parse(run(corelane, ['info', file, '--json'], 'pipe'));
  return { span: Number(last_ns) - Number(first_ns), cpus, records };
}

/**
 * @param {string} file
 * @param {string} questions The file with the plan.
 * @returns {Round}
 */
export const wasmRound = (file, questions) =>
  JSON.parse(run('node', [join(import.meta.dirname, 'round.mjs'), file, questions], 'pipe'));

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
