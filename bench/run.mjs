/**
 * `npm run bench [-- options]`: how fast Corelane is, side by side with `trace-cmd report` on the same files.
 *
 *     --rounds N      rounds of each measurement, interleaved; medians are shown (3)
 *     --large N       million events of the large synthetic trace, 0 for none (8: about half a gigabyte)
 *     --no-browser    leave out Chromium
 *
 * Traces: one of the fixtures, big128.dat of $CORELANE_TRACES (../shared/traces) where it exists, and a large synthetic
 * one that is written to a temporary folder. Times of one thread are processor time, those of Chromium are what a user
 * waits. Only ratios within this run are asserted: machines differ, and differ by the
 * minute.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withBrowser } from './browser.mjs';
import { checksOf } from './checks.mjs';
import { coldLoad } from './coldLoad.mjs';
import { figureRound } from './figures.mjs';
import {
  buildRelease,
  buildWasm,
  hasTraceCmd,
  nativeRound,
  reportRound,
  traceCmdRound,
  wasmRound,
} from './measure.mjs';
import { median } from './plan.mjs';
import { checkTable, holds, short, table } from './report.mjs';
import { traces } from './traces.mjs';

/** @typedef {import('./measure.mjs').Round} Round */
/** @typedef {import('./browser.mjs').BrowserRound} BrowserRound */

/**
 * @typedef {object} Measured All rounds on one trace.
 * @property {string} name
 * @property {Round[]} native
 * @property {Round[]} wasm
 * @property {number[]} traceCmd Milliseconds of processor time; empty where trace-cmd is missing.
 * @property {number[]} report Of `corelane report`, as trace-cmd's.
 * @property {import('./figures.mjs').FigureTime[][]} figures
 * @property {BrowserRound[]} browser
 */

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    large: { type: 'string', default: '8' },
    'no-browser': { type: 'boolean', default: false },
  },
});
// Every round reads the file itself.
process.env.CORELANE_CACHE = '';
const rounds = Number(options.rounds);
const folder = mkdtempSync(join(tmpdir(), 'corelane-bench-'));
try {
  const measured = await measure();
  print(measured);
  if (!options['no-browser']) {
    const { drawnMs, restMs } = await coldLoad();
    console.log(
      `\na first visit over 10 Mbit/s: lanes after ${drawnMs.toFixed(0)} ms, at rest after ${restMs.toFixed(0)} ms`,
    );
  }
  const checks = checksOf(measured);
  console.log(`\n${checkTable(checks)}`);
  if (!checks.every(holds)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** @returns {Promise<Measured[]>} */
async function measure() {
  buildWasm();
  const program = buildRelease('corelane-bench', 'corelane-bench');
  const corelane = buildRelease('tracecore-cli', 'corelane');
  const withTraceCmd = hasTraceCmd();
  if (!withTraceCmd) console.log('trace-cmd is not installed: no comparison with it');
  const files = traces(folder, Number(options.large));
  /** @type {Measured[]} */
  const measured = files.map(({ name }) => ({
    name,
    native: [],
    wasm: [],
    traceCmd: [],
    report: [],
    figures: [],
    browser: [],
  }));
  for (let round = 0; round < rounds; round++) {
    for (const [index, { name, path }] of files.entries()) {
      const all = measured[index];
      if (all === undefined) continue;
      console.log(`round ${round + 1} of ${rounds}: ${name}`);
      all.native.push(nativeRound(program, path));
      all.wasm.push(wasmRound(path));
      all.report.push(reportRound(corelane, path));
      all.figures.push(figureRound(corelane, path, folder));
      if (withTraceCmd) all.traceCmd.push(traceCmdRound(path));
    }
  }
  if (options['no-browser']) return measured;
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

/** @param {readonly Measured[]} measured */
function print(measured) {
  const rates = ['', 'ms', 'M events/s', 'MB/s', 'of native', 'of trace-cmd', 'peak MB'];
  for (const { name, native, wasm, traceCmd, report, figures, browser } of measured) {
    const file = native[0];
    if (file === undefined) continue;
    const nativeMs = median(native.map(({ scanMs, buildMs }) => scanMs + buildMs));
    const traceCmdMs = median(traceCmd);
    /** @param {string} title @param {number} ms @param {number} [peak] */
    const rate = (title, ms, peak) => [
      title,
      short(ms),
      short(file.records / ms / 1e3),
      short(file.bytes / ms / 1e3),
      short(nativeMs / ms),
      short(traceCmdMs / ms),
      peak === undefined ? '' : short(peak / 1e6),
    ];
    const stage = (/** @type {(round: Round) => number} */ of, /** @type {Round[]} */ list) => median(list.map(of));
    const rows = [
      rate('native, 1 thread', nativeMs, file.peakBytes),
      ['  scan', short(stage(({ scanMs }) => scanMs, native))],
      ['  build', short(stage(({ buildMs }) => buildMs, native))],
      ['  the stored model, read', short(stage(({ restoreMs }) => restoreMs ?? Number.NaN, native))],
      rate('wasm in Node, 1 thread', median(wasm.map((round) => round.scanMs + round.buildMs)), wasm[0]?.peakBytes),
      ['  scan', short(stage(({ scanMs }) => scanMs, wasm))],
      ['  build', short(stage(({ buildMs }) => buildMs, wasm))],
    ];
    rows.push(rate('corelane report, 1 thread', median(report)));
    if (traceCmd.length !== 0) rows.push(rate('trace-cmd report', traceCmdMs));
    if (browser.length !== 0) {
      const at = (/** @type {(round: BrowserRound) => number} */ of) => median(browser.map(of));
      rows.push(
        rate(
          'Chromium, drop to opened',
          at(({ openedMs }) => openedMs),
        ),
        ['  metadata at', short(at(({ metadataMs }) => metadataMs))],
        ['  first lanes at', short(at(({ firstPreviewMs }) => firstPreviewMs ?? Number.NaN))],
        ['  all scanned at', short(at(({ scannedMs }) => scannedMs))],
        ['Chromium, opened again', short(at(({ reopenedMs }) => reopenedMs ?? Number.NaN))],
      );
    }
    const held = (file.heldBytes ?? Number.NaN) / file.schedEvents;
    console.log(
      `\n${name}: ${short(file.records)} events, ${short(file.schedEvents)} of the scheduler, ${file.cpus} CPUs, ` +
        `${short(file.bytes / 1e6)} MB; ${short(held)} bytes held for each scheduling event`,
    );
    console.log(`\n${table(rates, rows)}\n`);
    console.log(
      table(['one pane query, ms', ...file.queries.map(({ zoom }) => `1/${zoom}`)], queryRows(native, wasm, browser)),
    );
    console.log(
      `\n${table(['long questions, ms', 'native', 'longest step', 'wasm', 'longest step'], jobRows(native, wasm))}`,
    );
    console.log(`\n${table(['raw records', 'native', 'Chromium'], rawRows(native, browser))}`);
    const figureHead = ['figure timeline', 'ms', 'of scan and build', 'of trace-cmd', 'MB'];
    console.log(`\n${table(figureHead, figureRows(figures, nativeMs, traceCmdMs))}`);
  }
}

/**
 * @param {readonly Round[]} native
 * @param {readonly Round[]} wasm
 */
function jobRows(native, wasm) {
  const of = (
    /** @type {readonly Round[]} */ rounds,
    /** @type {number} */ job,
    /** @type {'totalMs' | 'stepMs'} */ field,
  ) => short(median(rounds.map(({ jobs }) => jobs[job]?.[field] ?? Number.NaN)));
  return (native[0]?.jobs ?? []).map(({ name }, job) => [
    name,
    of(native, job, 'totalMs'),
    of(native, job, 'stepMs'),
    of(wasm, job, 'totalMs'),
    of(wasm, job, 'stepMs'),
  ]);
}

/**
 * @param {Measured['figures']} rounds
 * @param {number} nativeMs
 * @param {number} traceCmdMs
 */
function figureRows(rounds, nativeMs, traceCmdMs) {
  return (rounds[0] ?? []).map(({ name, bytes }, figure) => {
    const ms = median(rounds.map((round) => round[figure]?.ms ?? Number.NaN));
    return [name, short(ms), short(ms / nativeMs), short(ms / traceCmdMs), short(bytes / 1e6)];
  });
}

/**
 * @param {readonly Round[]} native
 * @param {readonly BrowserRound[]} browser
 */
function rawRows(native, browser) {
  const of = (/** @type {keyof import('./measure.mjs').RawTimes} */ field) =>
    short(median(native.map(({ raw }) => raw?.[field] ?? Number.NaN)));
  const seen = (/** @type {(events: BrowserRound['events']) => number} */ field) =>
    short(median(browser.map(({ events }) => field(events))));
  return [
    ['all merged, ms', of('mergeMs')],
    ['a millisecond from the middle, ms', of('windowMs')],
    ['put in order, ms', of('orderMs')],
    ['bytes that a scan leaves of each', of('indexBytes')],
    ['bytes that the list keeps of each', of('listBytes')],
    ['first rows when the trace is open, ms', '', seen(({ firstRowsMs }) => firstRowsMs)],
    ['a screen of rows anywhere, ms', of('rowsMs'), seen(({ randomRowsMs }) => randomRowsMs.median)],
    ['  95 of 100 below', '', seen(({ randomRowsMs }) => randomRowsMs.p95)],
    ['filter by name, events/s', of('nameFilterPerS'), seen(({ nameFilterPerS }) => nameFilterPerS)],
    ['filter by task, events/s', of('taskFilterPerS'), seen(({ taskFilterPerS }) => taskFilterPerS)],
    ['search in texts, events/s', of('textSearchPerS'), seen(({ textSearchPerS }) => textSearchPerS)],
  ];
}

/**
 * @param {readonly Round[]} native
 * @param {readonly Round[]} wasm
 * @param {readonly BrowserRound[]} browser
 */
function queryRows(native, wasm, browser) {
  /**
   * @template {{ readonly queries: readonly Record<string, number>[] }} R
   * @param {string} title
   * @param {readonly R[]} list
   * @param {string} field
   */
  const row = (title, list, field) => [
    title,
    ...(list[0]?.queries ?? []).map((_, zoom) =>
      short(median(list.map(({ queries }) => queries[zoom]?.[field] ?? Number.NaN))),
    ),
  ];
  const rows = [
    row('cells, native', native, 'cellsMs'),
    row('cells, wasm', wasm, 'cellsMs'),
    row('curve, native', native, 'curveMs'),
    row('curve, wasm', wasm, 'curveMs'),
  ];
  if (browser.length === 0) return rows;
  return [
    ...rows,
    row('cells, Chromium round trip', browser, 'cellsMs'),
    row('curve, Chromium round trip', browser, 'curveMs'),
    row('commands, Chromium round trip', browser, 'commandsMs'),
  ];
}
