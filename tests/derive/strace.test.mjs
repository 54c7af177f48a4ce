// @ts-check
// A recording of a program under `strace -c -f`: calls and errors are those of strace's table, but for what each of the two cannot
// see. Recorded like the fixture sysmix-4cpu, with
//
//   trace-cmd record -e raw_syscalls -e sched -v -e sched_stat_runtime -o sysmix-strace-4cpu.dat strace -c -f -o strace.txt sysmix /dev/vdb
//
// and the kernel's symbols taken out, which nothing here needs.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { build, ROOT } from '../lib/build.mjs';

const corelane = build('tracecore-cli', 'corelane');
const FOLDER = path.join(ROOT, 'tests/derive/strace');
const TRACE = path.join(FOLDER, 'sysmix-strace-4cpu.dat');

/** @typedef {{calls: number, errors: number}} Counts */

/** @param {string[]} args */
const run = (args) =>
  execFileSync(corelane, ['--quiet', 'syscalls', TRACE, '--json', ...args], { maxBuffer: 2 ** 28 }).toString();

/** The tables of 64-bit and of 32-bit calls, by name. @returns {Map<string, Counts>[]} */
function straceTables() {
  const text = readFileSync(path.join(FOLDER, 'strace.txt'), 'utf8');
  return text.split(/^System call usage summary.*$/m).map((part) => {
    const rows = part.matchAll(/^ *[\d.]+ +[\d.]+ +\d+ +(\d+) +(\d*) *([a-z]\w*)$/gm);
    const all = [...rows].map(([, calls, errors, name]) => /** @type {const} */ ([name, counts(calls, errors)]));
    return new Map(all.filter(([name]) => name !== 'total'));
  });
}

/** @param {string} calls @param {string} errors @returns {Counts} */
const counts = (calls, errors) => ({ calls: Number(calls), errors: Number(errors) });

test("calls and errors are those of strace's table", () => {
  const [table, table32] = straceTables();
  assert.ok(table && table32);
  const { rows, totals } = JSON.parse(run(['--by', 'command', '--compat', 'mix-int80']));
  /** @type {Map<string, Counts & {interrupted: number}>} */
  const ours = new Map();
  // What strace does itself is in the trace too.
  for (const row of rows.filter((/** @type {any} */ { comm }) => !['strace', 'trace-cmd'].includes(comm))) {
    if (row.calls === 0) continue;
    const sum = ours.get(row.call) ?? { calls: 0, errors: 0, interrupted: 0 };
    sum.calls += row.calls;
    sum.errors += row.errors;
    sum.interrupted += row.interrupted;
    ours.set(row.call, sum);
  }
  // The getpids of the 32-bit table have a table of their own.
  assert.deepEqual([...table32], [['getpid', { calls: 25, errors: 0 }]]);
  const getpid = ours.get('getpid');
  assert.ok(getpid);
  getpid.calls -= 25;

  /** By how much strace's calls and errors are more than ours. @type {Record<string, [number, number]>} */
  const differences = {};
  for (const name of new Set([...table.keys(), ...ours.keys()])) {
    const [theirs, own] = [table.get(name), ours.get(name)];
    const more = (/** @type {'calls' | 'errors'} */ of) => (theirs?.[of] ?? 0) - (own?.[of] ?? 0);
    if (more('calls') !== 0 || more('errors') !== 0) differences[name] = [more('calls'), more('errors')];
  }
  assert.deepEqual(differences, {
    // Denied calls never run, so that they have no enter.
    getppid: [15, 15],
    // The thread that execs kills its leader, and a leaving one its three threads: strace does not see what these calls return.
    futex: [-1, -1],
    nanosleep: [-3, -3],
    // The first one was entered by strace's child.
    execve: [1, 0],
  });
  assert.ok(table.size >= 35);
  // The denied ones, and a read that strace ended when its thread was killed.
  assert.equal(totals.exit_only, 15 + 1);
});

test('what strace does not see was interrupted, and its first exec succeeded', () => {
  const lines = (/** @type {string[]} */ args) => {
    const text = run(['--instances', ...args]).trim();
    return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line));
  };
  const killed = ['mix-texec', 'mix-group'].map((comm) =>
    lines(['--comm', comm, '--errors', '--call', 'futex', '--call', 'nanosleep']),
  );
  assert.deepEqual(
    killed.map((all) => all.map(({ ret }) => ret < -511 && ret > -517)),
    [[true], [true, true, true]],
  );
  const execs = lines(['--comm', 'strace', '--call', 'execve']).filter(({ ret }) => ret === 0);
  assert.equal(execs.length, 1);
});
