// @ts-check
// A recording of a program whose parts make known calls: each count is that of its source.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { build, ROOT } from '../lib/build.mjs';

const corelane = build('tracecore-cli', 'corelane');
const TRACE = path.join(ROOT, 'tests/fixtures/sysmix-4cpu.dat');
const NAMED = path.join(ROOT, 'tests/fixtures/sysmix-named-4cpu.dat');

/** @typedef {{call: string, calls: number, errors: number, interrupted: number, unfinished: number, blocked_ns: number}} Row */

/** @param {string[]} args @returns {any} */
const ask = (args) =>
  JSON.parse(execFileSync(corelane, ['--quiet', 'syscalls', ...args, '--json'], { maxBuffer: 2 ** 28 }).toString());

/** The row of a command's call. @param {string} comm @param {string} call @param {string[]} more @returns {Row} */
function row(comm, call, ...more) {
  const { rows } = ask([TRACE, '--by', 'command', '--comm', comm, ...more]);
  return rows.find((/** @type {Row} */ one) => one.call === call);
}

/** How many calls of it returned, failed and were interrupted, and how many never returned. @param {Row} row */
const counts = ({ calls, errors, interrupted, unfinished }) => [calls, errors, interrupted, unfinished];

test('each part of the program made its calls', () => {
  /** @type {[string, string, number[]][]} */
  const known = [
    ['mix-errors', 'openat', [50, 50, 0, 0]],
    ['mix-errors', 'read', [20, 20, 0, 0]],
    // A sleep that a stop interrupts goes on as another call.
    ['mix-restart', 'nanosleep', [1, 1, 1, 0]],
    ['mix-restart', 'restart_syscall', [1, 0, 0, 0]],
    // One read ends, one is interrupted, one restarted, and the restarted one ends.
    ['mix-eintr', 'read', [4, 2, 2, 0]],
    ['mix-eintr', 'rt_sigaction', [2, 0, 0, 0]],
    ['mix-texec2', 'execve', [1, 0, 0, 0]],
    ['mix-vfork', 'vfork', [3, 0, 0, 0]],
    ['mix-vfork', 'execve', [3, 0, 0, 0]],
    ['mix-vfork', 'wait4', [3, 0, 0, 0]],
    ['mix-killed', 'read', [1, 1, 1, 0]],
    ['mix-ping', 'write', [200, 0, 0, 0]],
    ['mix-ping', 'read', [200, 0, 0, 0]],
    ['mix-pong', 'write', [200, 0, 0, 0]],
    ['mix-pong', 'read', [200, 0, 0, 0]],
    // Three threads sleep when the fourth leaves.
    ['mix-group', 'nanosleep', [4, 3, 3, 0]],
    ['mix-group', 'exit_group', [0, 0, 0, 1]],
    ['mix-threads', 'clone3', [4, 0, 0, 0]],
    ['mix-thread', 'exit', [0, 0, 0, 4]],
    ['mix-user', 'getpid', [10, 0, 0, 0]],
    ['mix-disk', 'pread64', [40, 0, 0, 0]],
    ['mix-yield', 'sched_yield', [100, 0, 0, 0]],
  ];
  const { rows } = ask([TRACE, '--by', 'command']);
  for (const [comm, call, expected] of known) {
    const found = rows.find((/** @type {any} */ one) => one.comm === comm && one.call === call);
    assert.deepEqual(found && counts(found), expected, `${comm}: ${call}`);
  }
});

test('calls of the 32-bit table have its names where that is said', () => {
  assert.deepEqual(counts(row('mix-int80', 'writev')), [25, 0, 0, 0]);
  assert.deepEqual(counts(row('mix-int80', 'getpid', '--compat', 'mix-int80')), [25, 0, 0, 0]);
  assert.equal(row('mix-int80', 'writev', '--compat', 'mix-int80'), undefined);
});

test('what does not pair is counted by what it is', () => {
  const { totals } = ask([TRACE]);
  // 15 calls were denied; 14 forks, 3 vforks and 8 threads return in the child too; 2 handlers of signals return.
  assert.deepEqual(
    [totals.exit_only, totals.child_returns, totals.exits_without_id, totals.lost_exits, totals.across_loss],
    [15, 14 + 3 + 8, 2, 0, 0],
  );
});

test('direct reads of a disk are blocked, and time outside of calls is told', () => {
  const disk = row('mix-disk', 'pread64');
  assert.ok(disk.blocked_ns > 0);
  const { threads } = ask([TRACE, '--comm', 'mix-user']);
  const user = threads.filter((/** @type {any} */ thread) => thread.comms.includes('mix-user'));
  assert.equal(user.length, 1);
  // Ten times 2 ms between calls.
  assert.ok(user[0].outside_oncpu_ns >= 20e6, `${user[0].outside_oncpu_ns} ns`);
});

test('arguments of raw events are told by the formats of another trace', () => {
  /** @param {string[]} more */
  const told = (...more) => {
    const args = ['--quiet', 'syscalls', TRACE, '--instances', '--comm', 'mix-errors', '--json', ...more];
    const lines = execFileSync(corelane, args, { maxBuffer: 2 ** 28 })
      .toString()
      .trim()
      .split('\n');
    return lines.map((line) => JSON.parse(line));
  };
  const alone = told('--call', 'read');
  assert.equal(alone.length, 20);
  // read(-1, buffer, 1), whose descriptor is an `unsigned int` in the kernel's format.
  for (const { arguments: values } of alone) {
    assert.equal(values.length, 6);
    assert.ok(values.every((/** @type {any} */ value) => value.name === null));
  }
  const read = told('--call', 'read', '--formats', NAMED);
  for (const [index, { arguments: values }] of read.entries()) {
    assert.deepEqual(
      values.map((/** @type {any} */ { name, value }) => [name, value]),
      [
        ['fd', '4294967295'],
        ['buf', alone[index].arguments[1].value],
        ['count', '1'],
      ],
    );
  }
  const opened = told('--call', 'openat', '--formats', NAMED);
  assert.equal(opened.length, 50);
  // The program gives no mode: what is in that register is told as it is.
  for (const { arguments: values } of opened) {
    assert.equal(values[3].name, 'mode');
    assert.deepEqual(
      values.slice(0, 3).map((/** @type {any} */ { name, value }) => (name === 'filename' ? name : `${name}=${value}`)),
      ['dfd=-100', 'filename', 'flags=0x0'],
    );
  }
});

test('a file without formats is refused', () => {
  const text = path.join(ROOT, 'README.md');
  assert.throws(
    () => execFileSync(corelane, ['syscalls', TRACE, '--instances', '--formats', text], { stdio: 'pipe' }),
    /README\.md/,
  );
});
