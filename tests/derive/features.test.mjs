// @ts-check
// `corelane features` and `corelane latency --schbench` against a plain reading of their definitions, on recordings without
// gaps; and a sequence that was worked out by hand.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { build, ROOT } from '../lib/build.mjs';
import { scratchFile } from '../lib/traceFiles.mjs';
import { parseJson } from './corelane.mjs';
import { deriveFeatures, deriveSchbench } from './features.mjs';
import { deriveTrace } from './numbers.mjs';
import { ReportReader } from './report.mjs';
import { fixtures } from './sources.mjs';

const corelane = build('tracecore-cli', 'corelane');

/** @param {string[]} args @returns {any} */
function ask(args) {
  const options = { encoding: /** @type {const} */ ('utf8'), maxBuffer: 2 ** 28 };
  return parseJson(execFileSync(corelane, ['--quiet', ...args, '--json'], options));
}

const NAMES = ['forkpipe-8cpu', 'barrier-s390x', 'barrier32-badplace'];

for (const source of fixtures(path.join(ROOT, 'tests/fixtures')).filter(({ name }) => NAMES.includes(name))) {
  test(`the features of ${source.name}`, async () => {
    const { trace, dispose } = source.unpack();
    try {
      const reader = new ReportReader([]);
      await source.report(trace, (line) => reader.push(line));
      const derived = deriveTrace(reader.finish(), await source.printFmt(trace));
      const expected = deriveFeatures(derived, 10_000_000);
      // Waits that no run ended have no label, and are not derived.
      const rows = ask(['features', trace, '--all']).filter((/** @type {any} */ row) => row.label !== null);
      assert.equal(rows.length, expected.length);
      /** Of rows at one time, in the order of pids. @param {any} a @param {any} b */
      const byTime = (a, b) => Number(BigInt(a.at_ns) - BigInt(b.at_ns)) || a.pid - b.pid;
      const told = expected.map(({ at, ...row }) => ({ ...row, at_ns: derived.report.origin + BigInt(at) }));
      told.sort(byTime);
      rows.sort(byTime);
      for (const [index, row] of told.entries()) {
        const actual = rows[index];
        const where = `row ${index}, task ${row.pid} at ${row.at_ns}`;
        assert.equal(BigInt(actual.at_ns), row.at_ns, where);
        for (const name of /** @type {const} */ (['pid', 'weight', 'label']))
          assert.equal(actual[name], row[name], `${name} of ${where}`);
        for (const name of /** @type {const} */ (['blocked_freq', 'waker_freq', 'avg_runtime', 'deadline', 'request']))
          assert.equal(BigInt(actual[name]), row[name], `${name} of ${where}`);
        assert.ok(Math.abs(actual.load - row.load) < 1.001, `load of ${where}: ${actual.load}, not ${row.load}`);
        assert.equal(actual.wait_ns, row.wait, where);
      }
      const spread = deriveSchbench(derived.story.latencies.map(({ ns }) => ns));
      const { commands, ...all } = ask(['latency', trace, '--schbench']);
      assert.deepEqual(all, spread);
      assert.equal(
        commands.reduce((/** @type {number} */ sum, /** @type {any} */ { count }) => sum + count, 0),
        spread.count,
      );
    } finally {
      dispose();
    }
  });
}

test('a sequence worked out by hand', () => {
  const { trace: file, dispose } = scratchFile('by-hand.txt');
  // a wakes b after 4 ms and sleeps after 8; b, preempted after 2 ms, waits for 4 ms.
  const lines = [
    '10s   cpu0 idle switch R -> a:1',
    '+4ms  cpu0 a:1  waking b:2 on cpu0',
    '+0s   cpu0 a:1  wakeup b:2 on cpu0',
    '+4ms  cpu0 a:1  switch S -> b:2 prio 120',
    '+2ms  cpu0 b:2  switch R+ -> c:3 prio 120',
    '+4ms  cpu0 c:3  switch S -> b:2 prio 120',
  ];
  try {
    writeFileSync(file, `# corelane scenario 1\n${lines.join('\n')}\n`);
    assert.deepEqual(ask(['features', file]), [
      { pid: 2, load: 0, blocked_freq: 0, waker_freq: 0, weight: 100, deadline: 0, avg_runtime: 0, label: 0 },
      // It ran for 2 ms: a quarter is its average; with F = 0 and a run of 250 µs no priority is left: 500 µs · 100 / 18.
      // It is runnable for 6 ms of the period, of which a half counts: 0.3 of 100.
      {
        pid: 2,
        load: 0,
        blocked_freq: 0,
        waker_freq: 0,
        weight: 100,
        deadline: 2_000_000 + 2_777_777,
        avg_runtime: 500_000,
        label: 0,
      },
    ]);
  } finally {
    dispose();
  }
});

test('a wakeup counts from when the task is put on a runqueue', () => {
  const { trace: file, dispose } = scratchFile('enqueued.txt');
  // a wakes b after 4 ms, which is enqueued after 5; then a gives way to b, and waits.
  const lines = [
    '10s   cpu0 idle switch R -> a:1 prio 120',
    '+4ms  cpu0 a:1  waking b:2 on cpu0',
    '+1ms  cpu0 a:1  wakeup b:2 on cpu0',
    '+0s   cpu0 a:1  switch R+ -> b:2 prio 120',
    '+2ms  cpu0 b:2  switch S -> a:1 prio 120',
  ];
  try {
    writeFileSync(file, `# corelane scenario 1\n${lines.join('\n')}\n`);
    const [waits] = ask(['features', file]).filter((/** @type {any} */ { pid }) => pid === 1);
    // Its first wakeup, 5 ms after the trace begins: 20 in 100 ms, a quarter of which is the average. 4 ms would make 6.
    assert.equal(waits.waker_freq, 5);
  } finally {
    dispose();
  }
});
