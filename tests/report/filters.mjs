// @ts-check
// Compares `corelane report --filter` with what it ought to print, line by line. Of the fixtures: the lines of trace-cmd's
// stored report whose raw fields (-R) pass a condition that is written here. Of recordings in other folders: what the
// installed trace-cmd prints for the same filter.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { hasTraceCmd } from '../derive/traceCmd.mjs';
import { inPool } from '../lib/pool.mjs';
import { traceNames, traceSize, unpack } from '../lib/traceFiles.mjs';
import { output } from './programs.mjs';
import { FIXTURES, unpackFixture } from './sources.mjs';
import { readTexts } from './texts.mjs';

/**
 * @typedef {object} Fields the raw fields of a record, and what its line says of it
 * @property {string} event
 * @property {number} cpu
 * @property {number} pid
 * @property {string} comm
 * @property {(name: string) => number} int NaN where there is no such field
 * @property {(name: string) => string} text
 */

/** @typedef {{filter: string, passes: (fields: Fields) => boolean, theirs?: string | null}} Case */

const isSwitch = (/** @type {Fields} */ { event }) => event === 'sched_switch';
const isWakeup = (/** @type {Fields} */ { event }) => event === 'sched_wakeup';

/**
 * `theirs` is what trace-cmd calls the same: it has regular expressions where we have patterns, and takes negative numbers
 * for large ones. Null where it has nothing like it.
 * @type {Case[]}
 */
const CASES = [
  {
    filter: 'sched_switch: next_prio < 100',
    passes: (f) => isSwitch(f) && f.int('next_prio') < 100,
    theirs: 'sched_switch: next_prio < 100 || next_prio > 1000000',
  },
  {
    filter: 'sched/sched_switch: next_prio <= 0x64',
    passes: (f) => isSwitch(f) && f.int('next_prio') <= 100,
    theirs: 'sched/sched_switch: next_prio <= 0x64 || next_prio > 1000000',
  },
  { filter: 'next_prio >= 120', passes: (f) => isSwitch(f) && f.int('next_prio') >= 120, theirs: null },
  { filter: 'sched_switch: prev_state & 1', passes: (f) => isSwitch(f) && (f.int('prev_state') & 1) !== 0 },
  {
    filter: 'sched_switch: next_pid == 0 && (prev_prio == 120 || prev_state != 1)',
    passes: (f) => isSwitch(f) && f.int('next_pid') === 0 && (f.int('prev_prio') === 120 || f.int('prev_state') !== 1),
  },
  {
    filter: 'sched_switch: !(next_pid == 0 || prev_pid == 0)',
    passes: (f) => isSwitch(f) && f.int('next_pid') !== 0 && f.int('prev_pid') !== 0,
  },
  { filter: 'sched_switch: prev_comm == "sleep"', passes: (f) => isSwitch(f) && f.text('prev_comm') === 'sleep' },
  {
    filter: "sched_switch: next_comm ~ 'k*'",
    passes: (f) => isSwitch(f) && f.text('next_comm').startsWith('k'),
    theirs: "sched_switch: next_comm =~ '^k'",
  },
  {
    filter: 'sched_switch: next_comm !~ "*swapper*" && CPU == 1',
    passes: (f) => isSwitch(f) && !f.text('next_comm').includes('swapper') && f.cpu === 1,
    theirs: 'sched_switch: next_comm !~ "swapper" && CPU == 1',
  },
  {
    filter: 'sched_wakeup, sched_waking: prio > 100',
    passes: (f) => /^sched_wak(eup|ing)$/.test(f.event) && f.int('prio') > 100,
    theirs: 'sched_wakeup,sched_waking: prio > 100 && prio < 1000000',
  },
  { filter: 'sched_wakeup: pid > 300', passes: (f) => isWakeup(f) && f.int('pid') > 300 },
  { filter: 'sched_wakeup: common_pid == 0', passes: (f) => isWakeup(f) && f.pid === 0 },
  { filter: 'sched_wakeup: COMM == "<idle>"', passes: (f) => isWakeup(f) && f.comm === '<idle>' },
  { filter: 'sched_migrate_task', passes: (f) => f.event === 'sched_migrate_task' },
  {
    filter: 'sched_migrate_task: orig_cpu != dest_cpu',
    passes: (f) => f.event === 'sched_migrate_task' && f.int('orig_cpu') !== f.int('dest_cpu'),
    theirs: null,
  },
];

/** The begin of a record's line: its task, CPU, time and event. */
const HEAD = /^(?: *\S*: | {2,})? *(.*)-(\d+) +\[(\d+)\] *[\d.]*: +([^\s:]+): */;

/** Recordings of millions of events, which are only checked when they are named. */
const LARGE = 8 << 20;

let [compared, lines, failed] = [0, 0, 0];
/** Filters under which no trace has had a line. */
const silent = new Set(CASES.map(({ filter }) => filter));

/**
 * Returns how many reports differ.
 *
 * @param {string} binary
 * @param {string[]} corpus folders of recordings
 * @param {string[]} names only traces whose name holds one of these; all if there are none
 */
export async function checkFilters(binary, corpus, names) {
  const isWanted = (/** @type {string} */ name) => names.length === 0 || names.some((part) => name.includes(part));
  for (const name of fixtureNames().filter(isWanted)) await checkFixture(binary, name);
  for (const folder of (await hasTraceCmd()) ? corpus.filter((folder) => existsSync(folder)) : []) {
    const small = (/** @type {string} */ name) => names.length > 0 || traceSize(folder, name) < LARGE;
    await inPool(traceNames(folder).filter(isWanted).filter(small), (name) => checkRecording(binary, folder, name));
  }
  for (const filter of names.length === 0 ? silent : []) {
    failed++;
    console.log(`FAIL ${filter}: no trace has a line of it`);
  }
  console.log(`${compared} filtered reports, ${lines} lines, ${failed} failed`);
  return failed;
}

/** Fixtures with both texts that are needed; sweeps hold no events that belong together. */
function fixtureNames() {
  return traceNames(FIXTURES[1])
    .concat(traceNames(FIXTURES[0]))
    .filter((name) => !name.startsWith('all-') && textsOf(name) !== undefined);
}

/** @param {string} name */
function textsOf(name) {
  try {
    const { texts } = readTexts(path.join(FIXTURES[0], `${name}.texts.br`));
    return texts.report && texts['report-R'] ? texts : undefined;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** @param {string} binary @param {string} name */
async function checkFixture(binary, name) {
  const texts = textsOf(name);
  if (!texts) return;
  const printed = recordsOf(texts.report.toString('latin1'));
  const raw = recordsOf(texts['report-R'].toString('latin1'));
  // Graphs of functions print two records as one line.
  if (printed.length !== raw.length) return;
  const { trace, dispose } = unpackFixture(name);
  const known = new Set(raw.map((record) => HEAD.exec(record[0])?.[4]));
  try {
    for (const { filter, passes } of CASES) {
      // A file without such an event refuses the filter.
      if (!known.has('sched_switch') || !known.has('sched_migrate_task')) continue;
      const expected = printed.filter((_, index) => passes(fieldsOf(raw[index]))).flat();
      tell(name, filter, expected, await ours(binary, trace, filter));
    }
  } finally {
    dispose();
  }
}

/** @param {string} binary @param {string} folder @param {string} name */
async function checkRecording(binary, folder, name) {
  const { trace, dispose } = unpack(folder, name);
  try {
    for (const { filter, theirs = filter } of CASES) {
      if (theirs === null) continue;
      const expected = await textOf('trace-cmd', ['report', '-F', theirs, '-i', trace]).catch(() => null);
      if (expected === null) continue;
      tell(name, filter, common(linesOf(expected)), common(await ours(binary, trace, filter)));
    }
  } finally {
    dispose();
  }
}

/**
 * What both print: trace-cmd adds the stacks behind records that pass, and learns no names from records that do not.
 *
 * @param {string[]} lines
 */
function common(lines) {
  const own = lines.filter((line) => !/: (kernel|user)_stack: |^ ?=> /.test(line));
  return own.map((line) => line.replace(/^.*(?=-\d+ +\[\d+\])/, ''));
}

/** @param {string} binary @param {string} trace @param {string} filter */
async function ours(binary, trace, filter) {
  return linesOf(await textOf(binary, ['report', trace, '--filter', filter]));
}

/** @param {string} name @param {string} filter @param {string[]} expected @param {string[]} actual */
function tell(name, filter, expected, actual) {
  compared++;
  lines += expected.length;
  if (expected.length > 0) silent.delete(filter);
  const at = Array.from({ length: Math.max(expected.length, actual.length) }, (_, index) => index).find(
    (index) => expected[index] !== actual[index],
  );
  if (at === undefined) return;
  failed++;
  console.log(`FAIL ${name}, ${filter}: ${expected.length} lines expected, ${actual.length} printed; line ${at + 1}`);
  console.log(`       expected: ${expected[at]}\n       corelane: ${actual[at]}`);
}

/** @param {string} program @param {string[]} args */
async function textOf(program, args) {
  const chunks = [];
  for await (const chunk of output(program, args)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
}

/**
 * The lines of records: what was lost is told whatever is filtered, by trace-cmd only before records that pass.
 *
 * @param {string} text
 */
function linesOf(text) {
  return text.split('\n').filter((line) => line !== '' && !/^cpus=|EVENTS DROPPED\]$/.test(line));
}

/**
 * The lines of each record.
 *
 * @param {string} text
 */
function recordsOf(text) {
  /** @type {string[][]} */
  const records = [];
  for (const line of linesOf(text)) {
    if (HEAD.test(line)) records.push([line]);
    else records.at(-1)?.push(line);
  }
  return records;
}

/**
 * @param {string[]} record its raw lines
 * @returns {Fields}
 */
function fieldsOf([line]) {
  const [head, comm, pid, cpu, event] = HEAD.exec(line) ?? [''];
  const fields = ` ${line.slice(head.length)}`;
  const text = (/** @type {string} */ name) =>
    new RegExp(` ${name}=(.*?)(?= [a-z_]+=|$)`).exec(fields)?.[1]?.trim() ?? '';
  const int = (/** @type {string} */ name) =>
    Number.parseInt(text(name) || 'none', text(name).startsWith('0x') ? 16 : 10);
  return { event, cpu: Number(cpu), pid: Number(pid), comm, int, text };
}
