#!/usr/bin/env node
// @ts-check
// Compares `corelane report` with what trace-cmd prints, line by line, in each mode:
//
//   node tests/report/run.mjs [--bin target/release/corelane] [--corpus FOLDER]... [--sweeps RECORDS [--seeds N]]
//     [--mode report|report-R|report-N|report-l]... [--events] [--verbose] [NAME | FILE.dat]...
//
// The traces are the fixtures and recordings in other folders. --sweeps adds records of every event of the fixtures `all-*`, so many of each, which the installed
// trace-cmd has to print. --events tells the differences by event. NAME: only traces whose name holds one of these;
// FILE.dat: only these files. Without --bin it builds the binaries.

import { parseArgs } from 'node:util';
import { build } from '../lib/build.mjs';
import { inPool } from '../lib/pool.mjs';
import { compareTexts } from './compare.mjs';
import { checkFilters } from './filters.mjs';
import { reasonFor } from './known.mjs';
import { MODES } from './modes.mjs';
import { corelaneText } from './programs.mjs';
import { corpus, file, fixtures, fullSweeps } from './sources.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    bin: { type: 'string' },
    corpus: { type: 'string', multiple: true, default: [] },
    sweeps: { type: 'string', default: '0' },
    seeds: { type: 'string', default: '1' },
    mode: { type: 'string', multiple: true },
    events: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});

const binary = values.bin ?? build('tracecore-cli', 'corelane');
/** @type {string | undefined} */
let built;
const tracegen = () => {
  built ??= build('tracegen', 'tracegen');
  return built;
};

const modes = MODES.filter(({ name }) => values.mode === undefined || values.mode.includes(name));
/** All differences by event. */
const byEvent = new Map();
const totals = { lines: 0, differences: 0, known: 0, texts: 0, failed: 0 };

await inPool(await sources(), async (source) => {
  try {
    const opened = source.open();
    try {
      for (const mode of modes) {
        const text = opened.text(mode);
        if (text) await compare(source.name, mode, text, opened.trace);
      }
    } finally {
      opened.dispose();
    }
  } catch (error) {
    totals.failed++;
    console.log(`FAIL ${source.name}: ${error instanceof Error ? error.message : error}`);
  }
});
if (values.events) {
  const rows = [...byEvent].sort(([, a], [, b]) => b.count - a.count);
  for (const [event, { count, example }] of rows) {
    console.log(`${String(count).padStart(8)} ${event}`);
    printPair(example);
  }
}
if (values.mode === undefined) {
  const names = positionals.filter((name) => !name.endsWith('.dat'));
  totals.failed += await checkFilters(binary, values.corpus, names);
}
const { lines, differences, known, texts, failed } = totals;
console.log(`${texts} texts, ${lines} lines, ${differences} differences, ${known} known differences, ${failed} failed`);
process.exitCode = failed === 0 && texts > 0 ? 0 : 1;

async function sources() {
  const files = positionals.filter((name) => name.endsWith('.dat'));
  if (files.length > 0) return files.map(file);
  const recorded = await Promise.all(values.corpus.map((folder) => corpus(folder)));
  const sweeps = await fullSweeps(tracegen, Number(values.sweeps), Number(values.seeds));
  return [...fixtures(tracegen), ...recorded.flat(), ...sweeps].filter(
    ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
  );
}

/**
 * @param {string} name of the trace
 * @param {import('./modes.mjs').Mode} mode
 * @param {import('./sources.mjs').Text} text
 * @param {string} trace
 */
async function compare(name, mode, text, trace) {
  const started = performance.now();
  /** @type {import('./compare.mjs').Difference[]} */
  const first = [];
  let [count, known] = [0, 0];
  const lines = await compareTexts(text, corelaneText(binary, trace, mode), (difference) => {
    if (reasonFor(name, mode.name, difference)) {
      known++;
      return;
    }
    count++;
    if (first.length < (values.verbose ? 20 : 1)) first.push(difference);
    const entry = byEvent.get(difference.event) ?? { count: 0, example: difference };
    entry.count++;
    byEvent.set(difference.event, entry);
  });
  totals.texts++;
  totals.lines += lines;
  totals.differences += count;
  totals.known += known;
  if (count > 0) totals.failed++;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const meant = known > 0 ? `, ${known} known` : '';
  console.log(
    `${count === 0 ? 'ok  ' : 'FAIL'} ${name} ${mode.name}: ${lines} lines, ${count} differences${meant}, ${seconds} s`,
  );
  for (const difference of first) printPair(difference);
}

/** @param {import('./compare.mjs').Difference} difference */
function printPair({ line, expected, actual }) {
  console.log(`       line ${line}`);
  console.log(`       trace-cmd: ${shown(expected)}`);
  console.log(`       corelane:  ${shown(actual)}`);
}

/** @param {string | null} line */
function shown(line) {
  if (line === null) return '(no such line)';
  return line.length > 400 ? `${line.slice(0, 400)}... (${line.length} characters)` : line;
}
