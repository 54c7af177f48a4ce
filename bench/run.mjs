/**
 * `npm run bench [-- options]`: how fast Corelane is, side by side with what a user would run instead, on the same files.
 *
 *     --rounds N      rounds of each measurement, interleaved; medians are shown (3)
 *     --large N       million events of the large traces, 0 for none (8: half a gigabyte each)
 *     --only TEXT     only traces whose name contains the text
 *     --no-browser    leave out Chromium
 *     --scaling       instead: 1, 4, 16 and 64 million events (--sizes 1,4 for others), with 1 and 2 threads
 *     --page          instead: the page in Chromium: its first picture, and its frames in a minute (--seconds 60) of moving about
 *     --formats       instead: the same events in the formats of other tools, 0.7 and 10 million (--sizes 0.7 for others)
 *     --replay        instead: replays of what is made and of big128.dat, natively and in wasm, under each policy
 *     --calls         instead: system calls and interrupts, 10 million events of calls (--sizes 10 for others)
 *     --profile       instead: instructions and cache misses of each stage for an event, by valgrind
 *
 * Traces: a fixture, big128.dat of $CORELANE_TRACES (../shared/traces) where it exists, copies of recordings, and a synthetic
 * one; what has to be written goes to a temporary folder. Times of one thread are processor time, those of Chromium are
 * what a user waits. Only ratios within this run are asserted: machines differ, and differ by the minute. What is printed
 * after the progress is Markdown, for docs/performance.md; what a run measured is kept below target/ for the next one.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { firstVisit, withBrowser } from './browser.mjs';
import { callTables } from './calls.mjs';
import { checksOf } from './checks.mjs';
import { coldLoad } from './coldLoad.mjs';
import { contestants } from './contestants.mjs';
import { figureRound } from './figures.mjs';
import { formatsTable } from './formats.mjs';
import { compareAndKeep, numbersOf } from './history.mjs';
import { machine } from './machine.mjs';
import { buildRelease, buildWasm, factsOf, nativeRound, reportRound, wasmRound } from './measure.mjs';
import { pageTables } from './page.mjs';
import { questionPlan } from './plan.mjs';
import { profile } from './profile.mjs';
import { replayTables } from './replay.mjs';
import { checkTable, holds, short, table } from './report.mjs';
import { scaling } from './scaling.mjs';
import { wasmSizes } from './sizes.mjs';
import { summary, tables } from './tables.mjs';
import { pageTraces, traces } from './traces.mjs';

/** @typedef {import('./measure.mjs').Round} Round */

/**
 * @typedef {object} Measured All rounds on one trace.
 * @property {string} name
 * @property {Round[]} native
 * @property {Round[]} wasm
 * @property {Record<string, number[]>} others Milliseconds of processor time of what is installed.
 * @property {number[]} report Of `corelane report`, as the others'.
 * @property {import('./figures.mjs').FigureTime[][]} figures
 * @property {import('./browser.mjs').BrowserRound[]} browser
 */

/** What takes longer than this in the first round is not asked again. */
const SLOW_MS = 15e3;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    large: { type: 'string', default: '8' },
    only: { type: 'string', default: '' },
    'no-browser': { type: 'boolean', default: false },
    scaling: { type: 'boolean', default: false },
    formats: { type: 'boolean', default: false },
    calls: { type: 'boolean', default: false },
    sizes: { type: 'string' },
    page: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '60' },
    profile: { type: 'boolean', default: false },
    replay: { type: 'boolean', default: false },
  },
});
// Every round reads the file itself.
process.env.CORELANE_CACHE = '';
const rounds = Number(options.rounds);
const withChromium = !options['no-browser'];
const folder = mkdtempSync(join(tmpdir(), 'corelane-bench-'));
try {
  const program = buildRelease('corelane-bench', 'corelane-bench');
  const corelane = buildRelease('tracecore-cli', 'corelane');
  if (options.profile) {
    console.log(`\n${machine()}\n\n${profile(program, folder)}`);
  } else if (options.replay) {
    buildWasm();
    const { text, ok } = replayTables(program, rounds);
    console.log(`\n${machine()}\n\n${text}`);
    if (!ok) process.exitCode = 1;
  } else if (options.page) {
    buildWasm();
    const files = pageTraces(folder, Number(options.large)).filter(({ name }) => name.includes(options.only));
    const seconds = Number(options.seconds);
    const { text, ok } = await pageTables({ traces: files, seconds, rounds });
    console.log(`\n${machine()}\n\n${text}`);
    if (!ok) process.exitCode = 1;
  } else if (options.formats) {
    buildWasm();
    const sizes = (options.sizes ?? '0.7,10').split(',').map(Number);
    console.log(`\n${machine()}\n\n${formatsTable({ program, corelane, folder, sizes, rounds })}`);
  } else if (options.calls) {
    const millions = Number(options.sizes ?? '10');
    const seconds = withChromium ? Number(options.seconds) : 0;
    console.log(`\n${machine()}\n\n${await callTables({ program, corelane, folder, millions, rounds, seconds })}`);
  } else if (options.scaling) {
    buildWasm();
    const sizes = (options.sizes ?? '1,4,16,64').split(',').map(Number);
    console.log(`\n${machine()}\n\n${await scaling({ program, corelane, folder, sizes, rounds, withChromium })}`);
  } else {
    buildWasm();
    const measured = await measure(program, corelane);
    console.log(`\n${machine()}\n\n${summary(measured)}\n\n${measured.map(tables).join('\n\n')}`);
    console.log(`\n${sizeTables(withChromium ? await firstVisit() : undefined)}`);
    if (withChromium) {
      const { drawnMs, restMs } = await coldLoad();
      console.log(
        `\nA first visit over 10 Mbit/s: lanes after ${drawnMs.toFixed(0)} ms, at rest after ${restMs.toFixed(0)} ms.`,
      );
    }
    console.log(`\n${compareAndKeep(numbersOf(measured))}`);
    const checks = checksOf(measured);
    console.log(`\n${checkTable(checks)}`);
    if (!checks.every(holds)) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * @param {string} program
 * @param {string} corelane
 * @returns {Promise<Measured[]>}
 */
async function measure(program, corelane) {
  const installed = contestants(folder);
  const files = traces(folder, Number(options.large), (name) => name.includes(options.only));
  /** @type {Measured[]} */
  const measured = files.map(({ name }) => ({
    name,
    native: [],
    wasm: [],
    others: Object.fromEntries(installed.map((contestant) => [contestant.name, []])),
    report: [],
    figures: [],
    browser: [],
  }));
  for (let round = 0; round < rounds; round++) {
    for (const [index, { name, path, recorded }] of files.entries()) {
      const all = measured[index];
      if (all === undefined) continue;
      console.log(`round ${round + 1} of ${rounds}: ${name}`);
      const plan = join(folder, `plan-${index}.json`);
      if (round === 0) writeFileSync(plan, JSON.stringify(questionPlan(factsOf(corelane, path))));
      all.native.push(
        nativeRound(program, path, ['--questions', plan, '--page-scan', ...(recorded ? ['--records'] : [])]),
      );
      all.wasm.push(wasmRound(path, plan));
      again(all.report, () => reportRound(corelane, path));
      for (const { name: other, ms } of installed) again(all.others[other] ?? [], () => ms(path));
      if (recorded) all.figures.push(figureRound(corelane, path, folder));
    }
  }
  if (!withChromium) return measured;
  await withBrowser(async (load) => {
    for (let round = 0; round < rounds; round++) {
      for (const [index, { name, path }] of files.entries()) {
        console.log(`browser, round ${round + 1} of ${rounds}: ${name}`);
        measured[index]?.browser.push(await load(path));
      }
    }
  });
  return measured;
}

/**
 * Measures once more, unless that takes long.
 * @param {number[]} times
 * @param {() => number} ms
 */
function again(times, ms) {
  if ((times[0] ?? 0) < SLOW_MS) times.push(ms());
}

/** @param {Awaited<ReturnType<typeof firstVisit>> | undefined} visit */
function sizeTables(visit) {
  const row = (/** @type {import('./sizes.mjs').Size} */ { name, bytes, gzip, brotli }) => [
    name,
    short(bytes / 1e3),
    short(gzip / 1e3),
    short(brotli / 1e3),
  ];
  const modules = table(['wasm module', 'kB', 'gzip, kB', 'brotli, kB'], wasmSizes().map(row));
  if (visit === undefined) return modules;
  const { sizes, firstPaintMs, shownMs } = visit;
  const sum = (/** @type {'bytes' | 'gzip' | 'brotli'} */ field) => sizes.reduce((all, size) => all + size[field], 0);
  const rows = [...sizes, { name: 'all', bytes: sum('bytes'), gzip: sum('gzip'), brotli: sum('brotli') }].map(row);
  return (
    `${modules}\n\n${table(['first visit, without the sample', 'kB', 'gzip, kB', 'brotli, kB'], rows)}\n\n` +
    `First paint after ${short(firstPaintMs)} ms, the sample drawn and at rest after ${short(shownMs)} ms.`
  );
}
