/** Instructions, cache misses and wrong branches of each stage for an event, as valgrind's cachegrind simulates them. */
import { spawnSync } from 'node:child_process';
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

/**
 * @param {string} program
 * @param {string} folder
 */
export function profile(program, folder) {
  return profiled(folder)
    .map(({ name, path }) => {
      const { records } = nativeRound(program, path, ['--until', 'build']);
      /** @type {string[][]} */
      const rows = [];
      let before = COUNTS.map(() => 0);
      for (const stage of STAGES) {
        console.log(`${name}: ${stage}`);
        const counts = count(program, ['--until', stage, path]);
        // Opening reads what every file has, however many events it holds.
        if (stage !== 'open')
          rows.push([stage, ...counts.map((value, index) => short((value - (before[index] ?? 0)) / records))]);
        before = counts;
      }
      return table([`${name}, for each event`, ...COUNTS.map(([, title]) => title)], rows);
    })
    .join('\n\n');
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 */
function count(program, args) {
  const tool = ['--tool=cachegrind', '--cache-sim=yes', '--branch-sim=yes', '--cachegrind-out-file=/dev/null'];
  const { status, stderr, error } = spawnSync('valgrind', [...tool, program, ...args], { encoding: 'utf8' });
  if (error || status !== 0) throw error ?? new Error(`valgrind: exit ${status}\n${stderr}`);
  return COUNTS.map(([label]) => {
    const found = new RegExp(`${label}: +([\\d,]+)`).exec(stderr)?.[1];
    return Number(found?.replaceAll(',', '') ?? Number.NaN);
  });
}
