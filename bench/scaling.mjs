/** How costs grow with the trace: the same recording, copied ever more often. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withBrowser } from './browser.mjs';
import { factsOf, nativeRound, openMs, run, wasmRound } from './measure.mjs';
import { questionPlan } from './plan.mjs';
import { short, table } from './report.mjs';
import { schedCopies } from './traces.mjs';

/** @typedef {import('./measure.mjs').Round} Round */

/** Million events that fit into the 4 GiB of a wasm memory. */
const WASM_MILLIONS = 20;
/** For how many threads the time is extrapolated. */
const MORE_THREADS = [8, 16];

/**
 * @param {object} of
 * @param {string} of.program
 * @param {string} of.corelane
 * @param {string} of.folder
 * @param {readonly number[]} of.sizes Million events.
 * @param {number} of.rounds
 * @param {boolean} of.withChromium
 */
export async function scaling({ program, corelane, folder, sizes, rounds, withChromium }) {
  const [open, memory, questions] = [[], [], []].map(() => /** @type {string[][]} */ ([]));
  if (open === undefined || memory === undefined || questions === undefined) return '';
  for (const millions of sizes) {
    console.log(`${millions} million events`);
    const path = join(folder, 'scaling.dat');
    const plan = join(folder, 'plan.json');
    schedCopies(path, millions);
    const asked = questionPlan(factsOf(corelane, path)).filter(({ name }) =>
      KINDS.some(([, prefix]) => name.startsWith(prefix)),
    );
    writeFileSync(plan, JSON.stringify(asked));
    const repeat = (/** @type {() => number} */ ms) => Math.min(...Array.from({ length: rounds }, ms));
    const walls = [1, 2].map((threads) => repeat(() => wallMs(corelane, path, threads)));
    const native = best(Array.from({ length: rounds }, () => nativeRound(program, path, ['--questions', plan])));
    const wasm = millions <= WASM_MILLIONS ? wasmRound(path, plan) : undefined;
    const browser = withChromium && millions <= WASM_MILLIONS ? await inBrowser(path) : undefined;
    rmSync(path);
    const name = `${short(native.records)}, ${short(native.bytes / 1e6)} MB`;
    open.push([
      name,
      ...[native.scanMs, native.buildMs, native.indexMs ?? Number.NaN, openMs(native)].map(short),
      ...walls.map(short),
      ...MORE_THREADS.map((threads) => short(extrapolated(walls, threads))),
      short(wasm ? openMs(wasm) : Number.NaN),
      short(browser?.firstPreviewMs ?? Number.NaN),
      short(browser?.openedMs ?? Number.NaN),
    ]);
    const { heldBytes = Number.NaN, peakBytes } = native;
    memory.push([
      name,
      ...[heldBytes / 1e6, peakBytes / 1e6, heldBytes / native.records, peakBytes / native.records].map(short),
      short((wasm?.peakBytes ?? Number.NaN) / 1e6),
    ]);
    questions.push([name, ...KINDS.flatMap(([, prefix]) => [slowest(native, prefix), slowest(wasm, prefix)])]);
  }
  const threads = MORE_THREADS.map((count) => `${count} threads, by the serial part`);
  return [
    table(
      [
        'opening, ms',
        ...['scan', 'build', 'indexes', 'in all', '1 thread, waiting', '2 threads, waiting', ...threads],
        ...['wasm', 'Chromium, first lanes', 'Chromium, opened'],
      ],
      open,
    ),
    table(['memory', 'held, MB', 'peak, MB', 'held, bytes/event', 'peak, bytes/event', 'wasm, MB'], memory),
    table(
      ['slowest at any zoom, ms', ...KINDS.flatMap(([title]) => [`${title}, native`, `${title}, wasm`])],
      questions,
    ),
  ].join('\n\n');
}

/** Questions whose cost must not grow with the trace: title, and how their names begin. */
const KINDS = /** @type {const} */ ([
  ['cells', 'cells'],
  ['depths', 'depths'],
  ['curve', 'curve'],
  ['labels', 'labels'],
  ['chain', 'chain'],
  ['table of tasks', 'table of tasks'],
]);

/** @param {Round | undefined} round @param {string} prefix */
function slowest(round, prefix) {
  const of = round?.answers.filter(({ name }) => name.startsWith(prefix)) ?? [];
  return of.length === 0 ? '-' : short(Math.max(...of.map(({ ms }) => ms)));
}

/** The round that opened fastest. @param {readonly Round[]} rounds */
function best(rounds) {
  const [first, ...others] = rounds;
  if (first === undefined) throw new Error('at least one round');
  return others.reduce((least, round) => (openMs(round) < openMs(least) ? round : least), first);
}

/**
 * How long a user waits for the command line to open a file.
 * @param {string} corelane
 * @param {string} path
 * @param {number} threads
 */
export function wallMs(corelane, path, threads) {
  const before = performance.now();
  run(corelane, ['table', 'tasks', path, '--quiet', '--no-cache', '--threads', `${threads}`], 'ignore');
  return performance.now() - before;
}

/**
 * Amdahl's law: the part of the time of one thread that a second one did not shorten is serial.
 * @param {readonly number[]} walls With one thread and with two.
 * @param {number} threads
 */
export function extrapolated([one = Number.NaN, two = Number.NaN], threads) {
  const serial = Math.min(Math.max(2 * two - one, 0), one);
  return serial + (one - serial) / threads;
}

/** @param {string} path */
async function inBrowser(path) {
  /** @type {import('./browser.mjs').BrowserRound | undefined} */
  let round;
  await withBrowser(async (load) => {
    round = await load(path, 'open');
  });
  return /** @type {import('./browser.mjs').BrowserRound | undefined} */ (round);
}
