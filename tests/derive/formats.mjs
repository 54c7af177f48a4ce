#!/usr/bin/env node
// @ts-check
// Other formats, read and written:
//
//   node tests/derive/formats.mjs [--bin target/release/corelane] [--samples FOLDER]... [--corpus FOLDER]... [NAME]...
//
// Samples of other tools are compared with what these tools say of them, and what `corelane export` writes of the fixtures, of
// recordings in other folders and of samples with what it was written of; with trace-cmd and Google's protobuf classes (pip package
// `perfetto`), where these are installed. Without --bin it builds the binary. NAME: only traces whose name holds one of these, and no
// samples.

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build, ROOT } from '../lib/build.mjs';
import { inPool } from '../lib/pool.mjs';
import { checkExports, hasGoogle } from './exports.mjs';
import { checkSamples, hasSamples } from './samples.mjs';
import { corpus, fixtures } from './sources.mjs';
import { hasTraceCmd } from './traceCmd.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    bin: { type: 'string' },
    samples: { type: 'string', multiple: true, default: [] },
    corpus: { type: 'string', multiple: true, default: [] },
  },
});

/** The size in bytes from which a recording is only checked when it is named. */
const LARGE = 8 << 20;

const binary = path.resolve(values.bin ?? build('tracecore-cli', 'corelane'));
const programs = { binary, traceCmd: await hasTraceCmd(), google: await hasGoogle() };
if (!programs.google) console.log('without Google\'s classes: python3 has no package "perfetto"');

let passed = 0;
let failed = 0;
/** @param {string} name @param {string[]} differences */
function tell(name, differences) {
  console.log(`${differences.length === 0 ? 'ok  ' : 'FAIL'} ${name}`);
  for (const difference of differences) console.log(`       ${difference}`);
  if (differences.length === 0) passed++;
  else failed++;
}

const isWanted = (/** @type {string} */ name, size = 0) =>
  positionals.length === 0 ? size < LARGE : positionals.some((part) => name.includes(part));
if (positionals.length === 0) {
  for (const folder of values.samples.filter(hasSamples)) checkSamples(binary, path.resolve(folder), tell);
}
const recorded = fixtures(path.join(ROOT, 'tests/fixtures'));
const known = new Set(recorded.map(({ name }) => name));
const more = (await Promise.all(values.corpus.map((folder) => corpus(path.resolve(folder))))).flat();
const traces = [...recorded, ...more.filter(({ name }) => !known.has(name))];
const samples = values.samples.flatMap((folder) =>
  ['perf', 'perfetto', 'schedviz', 'text'].flatMap((kind) => {
    const files = readdirSync(path.join(folder, kind)).filter((file) =>
      /\.(perf\.data|pftrace(\.gz)?|proto|tar\.gz)$/.test(file),
    );
    return files.map((file) => ({
      name: file,
      size: 0,
      unpack: () => ({ trace: path.resolve(folder, kind, file), dispose: () => {} }),
    }));
  }),
);
const readable = samples.filter(({ name }) => !/^(ebpf|sched-stats)/.test(name));
await inPool(
  [...traces, ...readable].filter(({ name, size }) => isWanted(name, size)),
  async ({ name, unpack }) => {
    const started = performance.now();
    const { trace, dispose } = unpack();
    try {
      const { differences, summary } = await checkExports(programs, trace);
      tell(`${name}: ${summary}, ${((performance.now() - started) / 1000).toFixed(1)} s`, differences);
    } finally {
      dispose();
    }
  },
);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
