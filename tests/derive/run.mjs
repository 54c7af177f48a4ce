#!/usr/bin/env node
// @ts-check
// Compares `corelane` with what an independent derivation finds in trace-cmd's text, trace by trace:
//
//   node tests/derive/run.mjs [--bin target/release/corelane] [--corpus FOLDER]... [--stories N] [--verbose] [--calls] [NAME]...
//
// The traces are the fixtures and, where trace-cmd is installed to print their text, recordings in other folders and N
// random stories (none unless asked for). Without --bin it builds the binary. NAME: only the traces whose name holds one
// of these; recordings of millions of events take minutes, and are only checked so. --calls: only system calls and pairs.

import path from 'node:path';
import { parseArgs } from 'node:util';
import { build, ROOT } from '../lib/build.mjs';
import { inPool } from '../lib/pool.mjs';
import { check } from './check.mjs';
import { corpus, fixtures, stories } from './sources.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    bin: { type: 'string' },
    corpus: { type: 'string', multiple: true, default: [] },
    stories: { type: 'string', default: '0' },
    calls: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});

/** The size in bytes from which a recording is only checked when it is named, because it has so many events. */
const LARGE = 8 << 20;

/** How many differences are printed for each trace; the others are counted. */
const PRINTED = values.verbose ? Number.POSITIVE_INFINITY : 10;

const binary = values.bin ?? build('tracecore-cli', 'corelane');
const recorded = fixtures(path.join(ROOT, 'tests/fixtures'));
const known = new Set(recorded.map(({ name }) => name));
const more = (await Promise.all(values.corpus.map((folder) => corpus(path.resolve(folder))))).flat();
const told = await stories(() => build('tracegen', 'tracegen'), Number(values.stories));
const wanted = [...recorded, ...more.filter(({ name }) => !known.has(name)), ...told].filter(({ name, size = 0 }) =>
  positionals.length === 0 ? size < LARGE : positionals.some((part) => name.includes(part)),
);

let passed = 0;
let failed = 0;
await inPool(wanted, async (source) => {
  const started = performance.now();
  const { differences, summary } = await check(binary, source, values.calls);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const ok = differences.length === 0;
  // Among many stories, only those that fail are worth a line.
  if (!ok || !told.includes(source)) {
    console.log(`${ok ? 'ok  ' : 'FAIL'} ${source.name}: ${summary}, ${differences.length} differences, ${seconds} s`);
  }
  for (const difference of differences.slice(0, PRINTED)) console.log(`       ${difference}`);
  if (differences.length > PRINTED) console.log(`       and ${differences.length - PRINTED} more (--verbose)`);
  if (ok) passed++;
  else failed++;
});
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
