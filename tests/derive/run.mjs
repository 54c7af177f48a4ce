#!/usr/bin/env node
// @ts-check
// Compares `corelane` with what an independent derivation finds in trace-cmd's text, trace by trace:
//
//   node tests/derive/run.mjs [--bin target/release/corelane] [--corpus FOLDER] [--verbose] [NAME]...
//
// The traces are the fixtures and, where trace-cmd is installed to print their text, the built-in sample and a folder of
// more recordings. Without --bin it builds the binary. NAME: only the traces whose name holds one of these.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { corelaneIntervals, corelaneJson } from './corelane.mjs';
import { compareInfo, compareStats, Differences, intervalComparison } from './differences.mjs';
import { deriveNumbers, deriveTrace } from './numbers.mjs';
import { ReportReader } from './report.mjs';
import { corpus, fixtures } from './sources.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    bin: { type: 'string' },
    corpus: { type: 'string', default: path.join(root, '../shared/traces') },
    verbose: { type: 'boolean', default: false },
  },
});

/** Differences printed for each trace; the rest is counted. */
const PRINTED = values.verbose ? Number.POSITIVE_INFINITY : 10;

const binary = values.bin ?? build();
const recorded = fixtures(path.join(root, 'tests/fixtures'));
const known = new Set(recorded.map(({ name }) => name));
const folders = [path.join(root, 'public'), values.corpus, path.join(values.corpus, 'public')];
const more = (await Promise.all(folders.map((folder) => corpus(path.resolve(folder))))).flat();
const wanted = [...recorded, ...more.filter(({ name }) => !known.has(name))].filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
);

let passed = 0;
let failed = 0;
for (const source of wanted) {
  const started = performance.now();
  const { differences, summary } = await check(source);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const ok = differences.length === 0;
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${source.name}: ${summary}, ${differences.length} differences, ${seconds} s`);
  for (const difference of differences.slice(0, PRINTED)) console.log(`       ${difference}`);
  if (differences.length > PRINTED) console.log(`       and ${differences.length - PRINTED} more (--verbose)`);
  if (ok) passed++;
  else failed++;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

/** @param {import('./sources.mjs').Source} source */
async function check({ facts, unpack, report, printFmt }) {
  const { trace, dispose } = unpack();
  const differences = new Differences();
  try {
    const reader = new ReportReader(Object.keys(facts.instance_event_counts ?? {}));
    await report(trace, (line) => reader.push(line));
    const derived = deriveTrace(reader.finish(), await printFmt(trace));
    compareInfo(differences, derived, facts, await corelaneJson(binary, ['info', trace]));
    for (const { args, selection } of selections(derived)) {
      const name = ['stats', ...args].join(' ');
      const stats = await corelaneJson(binary, ['stats', trace, ...args]);
      compareStats(differences, name, derived.report.origin, deriveNumbers(derived, selection), stats);
    }
    const comparison = intervalComparison(differences, derived);
    await corelaneIntervals(binary, trace, comparison.push);
    const intervals = comparison.finish();
    const { records, lostGaps } = derived.report;
    const gaps = lostGaps > 0 ? `, ${lostGaps} gaps` : '';
    const summary = `${records} records${gaps}, ${intervals} intervals, ${differences.compared} values`;
    return { differences: differences.found, summary };
  } catch (error) {
    return { differences: [`${error}`], summary: 'stopped' };
  } finally {
    dispose();
  }
}

/**
 * The selections of `corelane stats` that are compared, and what they mean.
 *
 * @param {import('./numbers.mjs').DerivedTrace} derived
 */
function* selections({ afterSleep, report: { first, last } }) {
  yield { args: [], selection: {} };
  yield { args: ['--forked'], selection: { forked: true } };
  if (afterSleep !== undefined) yield { args: ['--after-sleep'], selection: { from: afterSleep } };
  // The middle half.
  const [min, max] = [1, 3].map((quarters) => Math.floor(((last - first) * quarters) / 4));
  const args = ['--min', seconds(min), '--max', seconds(max)];
  yield { args, selection: { from: first + min, to: first + max } };
}

/** @param {number} ns */
function seconds(ns) {
  return `${Math.floor(ns / 1e9)}.${String(ns % 1e9).padStart(9, '0')}`;
}

function build() {
  execFileSync('cargo', ['build', '--quiet', '-p', 'tracecore-cli'], { cwd: root, stdio: 'inherit' });
  const target = process.env.CARGO_TARGET_DIR ?? path.join(root, 'target');
  const built = path.join(target, 'debug/corelane');
  if (!existsSync(built)) throw new Error(`cargo left no ${built}`);
  return built;
}
