#!/usr/bin/env node
// @ts-check
// Stores what the installed trace-cmd prints for a trace:
//
//   node tests/report/addTexts.mjs NAME.dat... [--modes report,report-R]
//   node tests/report/addTexts.mjs --sweeps
//
// A trace that is no fixture yet becomes one: `fixtures/NAME.dat`, or `NAME.dat.br` where brotli makes it smaller. The
// texts are stored as `fixtures/NAME.texts.br`. --sweeps makes the texts of the sweeps that sweeps.mjs lists.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from '../lib/build.mjs';
import { MODES } from './modes.mjs';
import { FIXTURES, sha256Of, sweep } from './sources.mjs';
import { SWEEPS } from './sweeps.mjs';
import { writeTexts } from './texts.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    modes: { type: 'string', default: MODES.map(({ name }) => name).join(',') },
    sweeps: { type: 'boolean', default: false },
  },
});
const wanted = values.modes.split(',');

for (const trace of positionals) {
  const name = path.basename(trace, '.dat');
  addTrace(name, trace);
  writeTexts(path.join(FIXTURES[0], `${name}.texts.br`), texts(trace, wanted));
}
if (values.sweeps) {
  const tracegen = build('tracegen', 'tracegen');
  for (const { of, args } of SWEEPS) {
    const { trace, dispose } = sweep(tracegen, { of, args });
    const modes = MODES.map(({ name }) => name);
    const name = of.replace(/^all-/, 'sweep-');
    const made = { of, args, sha256: sha256Of(trace) };
    writeTexts(path.join(FIXTURES[0], `${name}.texts.br`), texts(trace, modes), made);
    dispose();
  }
}

/** @param {string} name @param {string} trace */
function addTrace(name, trace) {
  const there = FIXTURES.some((folder) =>
    ['', '.br'].some((end) => existsSync(path.join(folder, `${name}.dat${end}`))),
  );
  if (there) return;
  const bytes = readFileSync(trace);
  const packed = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } });
  // Files with compressed sections are stored as they are.
  const [end, stored] = packed.length < bytes.length * 0.95 ? ['.br', packed] : ['', bytes];
  writeFileSync(path.join(FIXTURES[0], `${name}.dat${end}`), stored);
}

/** @param {string} trace @param {string[]} modes */
function texts(trace, modes) {
  const chosen = MODES.filter(({ name }) => modes.includes(name));
  const print = (/** @type {string[]} */ args) =>
    execFileSync('trace-cmd', ['report', ...args, '-i', trace], { maxBuffer: 2 ** 30 });
  return Object.fromEntries(chosen.map(({ name, traceCmd }) => [name, print(traceCmd)]));
}
