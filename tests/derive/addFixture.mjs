#!/usr/bin/env node
// @ts-check
// Adds a recorded trace to the fixtures, with the text that trace-cmd prints for it:
//
//   node tests/derive/addFixture.mjs trace.dat facts.json
//
// facts.json says how the trace was recorded and what is in it (README.md lists the keys). Needs trace-cmd.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { reportText, switchPrintFmt } from './traceCmd.mjs';

/** The facts about a recording that the tests use, in the order in which they are written. */
const KEPT = [
  'record_command',
  'kernel',
  'arch',
  'recorded_with',
  'file_version',
  'endianness',
  'long_size',
  'page_size',
  'compression',
  'clock',
  'cpus',
  'n_events',
  'event_counts',
  'events_per_cpu',
  'instance_event_counts',
  'lost_marks',
  'lost_events_by_cpu',
  'first_timestamp',
  'last_timestamp',
  'timestamp_unit',
];

const { positionals } = parseArgs({ allowPositionals: true });
const [trace, factsFile] = positionals;
if (!trace || !factsFile) {
  console.error('usage: node tests/derive/addFixture.mjs trace.dat facts.json');
  process.exit(2);
}

const fixtures = path.resolve(import.meta.dirname, '../fixtures');
const name = path.basename(trace, '.dat');
const facts = JSON.parse(readFileSync(factsFile, 'utf8'));
facts.cpus = facts.cpus_in_report ?? facts.cpus;
facts.recorded_with = facts.guest?.['trace-cmd'] ?? facts.recorded_with;

const bytes = readFileSync(trace);
// Files with compressed sections are stored as they are, others with brotli, which Node reads by itself.
if (facts.compression && facts.compression !== 'none') writeFileSync(path.join(fixtures, `${name}.dat`), bytes);
else writeFileSync(path.join(fixtures, `${name}.dat.br`), brotli(bytes));

writeFileSync(path.join(fixtures, `${name}.report.br`), brotli(execFileSync(...(await reportText(trace)))));
const kept = Object.fromEntries(KEPT.filter((key) => facts[key] !== undefined).map((key) => [key, facts[key]]));
kept.sched_switch_print_fmt = await switchPrintFmt(trace);
writeFileSync(path.join(fixtures, `${name}.json`), `${JSON.stringify(kept, null, 2)}\n`);

/** @param {Buffer} data */
function brotli(data) {
  return brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } });
}
