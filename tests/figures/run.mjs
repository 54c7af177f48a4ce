#!/usr/bin/env node
// @ts-check
// Reads figures back and compares them with what an independent derivation finds in trace-cmd's text:
//
//   node tests/figures/run.mjs [--bin target/release/corelane] [--corpus FOLDER]... [NAME]...
//
// First every trace: whole, zoomed, merged, by command. Then every option, by what it must show. Traces are the fixtures,
// and with --corpus, where trace-cmd is installed to print their text, recordings in other folders. Without --bin it
// builds the binary. NAME: only traces and options whose name holds one of these.

import path from 'node:path';
import { parseArgs } from 'node:util';
import { corpus, fixtures } from '../derive/sources.mjs';
import { build, ROOT } from '../lib/build.mjs';
import { inPool } from '../lib/pool.mjs';
import { Bench } from './bench.mjs';
import { check } from './check.mjs';
import { cases } from './options/index.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    bin: { type: 'string' },
    corpus: { type: 'string', multiple: true, default: [] },
    verbose: { type: 'boolean', default: false },
  },
});

/** The size in bytes from which a recording is only checked when it is named, because it has so many events. */
const LARGE = 8 << 20;
const PRINTED = values.verbose ? Number.POSITIVE_INFINITY : 10;

const binary = path.resolve(values.bin ?? build('tracecore-cli', 'corelane'));
const wanted = (/** @type {string} */ name) =>
  positionals.length === 0 || positionals.some((part) => name.includes(part));
const recorded = fixtures(path.join(ROOT, 'tests/fixtures'));
const known = new Set(recorded.map(({ name }) => name));
const more = (await Promise.all(values.corpus.map((folder) => corpus(path.resolve(folder))))).flat();
const sources = [...recorded, ...more.filter(({ name }) => !known.has(name))].filter(
  ({ name, size = 0 }) => wanted(name) && (positionals.length > 0 || size < LARGE),
);

let passed = 0;
let failed = 0;
await inPool(sources, (source) => report(source.name, () => check(binary, source)));
const asked = cases.filter(({ name }) => wanted(name));
await inPool(asked, async ({ name, test }) => {
  const bench = new Bench(binary);
  await report(name, async () => {
    try {
      await test(bench);
    } finally {
      await bench.dispose();
    }
    return { differences: bench.differences, summary: '' };
  });
});
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

/**
 * @param {string} name
 * @param {() => Promise<{differences: import('../derive/differences.mjs').Differences, summary: string}>} run
 */
async function report(name, run) {
  const started = performance.now();
  const { found, compared, summary } = await run().then(
    ({ differences, summary }) => ({ ...differences, summary }),
    (error) => ({ found: [`${values.verbose ? error.stack : error}`], compared: 0, summary: 'stopped' }),
  );
  // A check that compares nothing proves nothing.
  if (compared === 0 && found.length === 0) found.push('nothing was compared');
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const ok = found.length === 0;
  const said = [summary, `${compared} values`, `${found.length} differences`, `${seconds} s`]
    .filter(Boolean)
    .join(', ');
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name}: ${said}`);
  for (const difference of found.slice(0, PRINTED)) console.log(`       ${difference.slice(0, 600)}`);
  if (found.length > PRINTED) console.log(`       and ${found.length - PRINTED} more (--verbose)`);
  if (ok) passed++;
  else failed++;
}
