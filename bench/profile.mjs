/** Instructions, cache misses and wrong branches of each stage for an event, as valgrind's cachegrind simulates them. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativeRound } from './measure.mjs';
import { short, table } from './report.mjs';
import { profiled } from './traces.mjs';

/** The stages of the native program; each round holds those before it. */
const STAGES = ['open', 'scan', 'build', 'index'];

/** The counts that cachegrind prints at its end, as patterns, and how they are called here. */
const COUNTS = /** @type {const} */ ([
  ['I +refs', 'instructions'],
  ['D +refs', 'reads and writes'],
  ['D1 +misses', 'misses of L1'],
  ['LLd misses', 'misses of the last level'],
  ['Mispredicts', 'wrong branches'],
]);

/** Functions with the most instructions that are shown. */
const TOP = 6;

/** What cachegrind counts in its file for these columns of the table of functions. */
const EVENTS = /** @type {const} */ ([
  [['Ir'], 'instructions'],
  [['Dr', 'Dw'], 'reads and writes'],
  [['D1mr', 'D1mw'], 'misses of L1'],
  [['DLmr', 'DLmw'], 'misses of the last level'],
  [['Bcm', 'Bim'], 'wrong branches'],
]);

/**
 * @param {string} program
 * @param {string} folder
 */
export function profile(program, folder) {
  const out = join(folder, 'cachegrind.out');
  return profiled(folder)
    .map(({ name, path }) => {
      const { records } = nativeRound(program, path, ['--until', 'build']);
      const each = (/** @type {readonly number[]} */ counts) => counts.map((value) => short(value / records));
      /** @type {string[][]} */
      const rows = [];
      let before = COUNTS.map(() => 0);
      for (const stage of STAGES) {
        console.log(`${name}: ${stage}`);
        const counts = count(program, ['--until', stage, path], out);
        // Opening reads what every file has, however many events it holds.
        if (stage !== 'open') rows.push([stage, ...each(counts.map((value, index) => value - (before[index] ?? 0)))]);
        before = counts;
      }
      const functions = hottest(readFileSync(out, 'utf8')).map(([title, counts]) => [title, ...each(counts)]);
      return [
        table([`${name}, for each event`, ...COUNTS.map(([, title]) => title)], rows),
        table(['in functions, with what is inlined', ...EVENTS.map(([, title]) => title)], functions),
      ].join('\n\n');
    })
    .join('\n\n');
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} out For the counts of each line.
 */
function count(program, args, out) {
  const tool = ['--tool=cachegrind', '--cache-sim=yes', '--branch-sim=yes', `--cachegrind-out-file=${out}`];
  const { status, stderr, error } = spawnSync('valgrind', [...tool, program, ...args], { encoding: 'utf8' });
  if (error || status !== 0) throw error ?? new Error(`valgrind: exit ${status}\n${stderr}`);
  return COUNTS.map(([label]) => {
    const found = new RegExp(`${label}: +([\\d,]+)`).exec(stderr)?.[1];
    return Number(found?.replaceAll(',', '') ?? Number.NaN);
  });
}

/**
 * The functions with the most instructions, and their counts in the order of EVENTS.
 * @param {string} text Of cachegrind's file: `events:`, then for each function `fn=` and lines of counts.
 * @returns {[string, number[]][]}
 */
export function hottest(text) {
  /** @type {Map<string, number[]>} */
  const functions = new Map();
  /** @type {number[][]} */
  let columns = [];
  let current = EVENTS.map(() => 0);
  for (const line of text.split('\n')) {
    if (line.startsWith('events:')) {
      const events = line.split(' ').slice(1);
      columns = EVENTS.map(([names]) => names.map((name) => events.indexOf(name) + 1));
    } else if (line.startsWith('fn=')) {
      const name = shortened(line.slice(3));
      current = functions.get(name) ?? EVENTS.map(() => 0);
      functions.set(name, current);
    } else if (/^\d/.test(line)) {
      const counts = line.split(' ').map(Number);
      for (const [index, of] of columns.entries()) {
        current[index] = (current[index] ?? 0) + of.reduce((sum, column) => sum + (counts[column] ?? 0), 0);
      }
    }
  }
  return [...functions].sort(([, [a = 0]], [, [b = 0]]) => b - a).slice(0, TOP);
}

/** Without hashes and the parameters of types. @param {string} name */
const shortened = (name) =>
  name
    .replace(/::h[0-9a-f]{16}$/, '')
    .replace(/<.*>/g, '<…>')
    .replace(/\s.*$/, '');
