// @ts-check
// `corelane export`: a scenario becomes a trace.dat that says the same, of which trace-cmd prints what Corelane prints; and a
// file for the Perfetto UI. What is in the latter is tested in `crates/traceexport`.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { hasTraceCmd } from '../derive/traceCmd.mjs';
import { build, ROOT } from '../lib/build.mjs';
import { scratchFile } from '../lib/traceFiles.mjs';
import { unpackFixture } from './sources.mjs';

const corelane = build('tracecore-cli', 'corelane');
const installed = await hasTraceCmd();

/** The example of docs/scenario.md. */
const [scenario] = /^# corelane scenario 1$[^`]*/m.exec(readFileSync(path.join(ROOT, 'docs/scenario.md'), 'utf8')) ?? [
  '',
];

/** @param {string} command @param {string[]} args */
function run(command, args) {
  return execFileSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
}

/** @param {(scenario: string, out: string) => void} body */
function withScenario(body) {
  const [input, out] = [scratchFile('scenario.txt'), scratchFile('out')];
  try {
    writeFileSync(input.trace, scenario);
    body(input.trace, out.trace);
  } finally {
    input.dispose();
    out.dispose();
  }
}

for (const version of ['6', '7']) {
  test(`a scenario as a trace.dat of version ${version} says the same`, () => {
    withScenario((input, out) => {
      assert.match(run(corelane, ['export', input, '--tracedat', out, '--file-version', version]), /1\d records/);
      assert.equal(JSON.parse(run(corelane, ['info', '--json', out])).version, Number(version));
      for (const question of [['intervals'], ['states'], ['latency'], ['stats']]) {
        /** @param {string} file */
        const ask = (file) => run(corelane, ['--quiet', '--no-cache', ...question, '--json', file]);
        assert.equal(ask(out), ask(input), question.join(' '));
      }
      if (!installed) return;
      const lines = run('trace-cmd', ['report', '-t', '-i', out]).split('\n').slice(1);
      assert.deepEqual(run(corelane, ['--quiet', 'report', '-t', out]).split('\n').slice(1), lines);
      assert.ok(lines.some((line) => line.includes('sched_switch') && line.includes('bash:100')));
    });
  });
}

test('a window of a scenario is written', () => {
  withScenario((input, out) => {
    run(corelane, ['export', input, '--tracedat', out, '--min', '0.002', '--max', '0.004', '--cpu', '0']);
    assert.equal(JSON.parse(run(corelane, ['info', '--json', out])).records, 3);
  });
});

test('a trace.dat keeps its records', () => {
  const { trace, dispose } = unpackFixture('instances-4cpu');
  const [out, cut] = [scratchFile('out.dat'), scratchFile('cut.dat')];
  try {
    run(corelane, ['export', trace, '--tracedat', out.trace, '--min', '0.1']);
    run(corelane, ['cut', trace, '-o', cut.trace, '--min', '0.1']);
    assert.ok(readFileSync(out.trace).equals(readFileSync(cut.trace)));
  } finally {
    for (const file of [{ dispose }, out, cut]) file.dispose();
  }
});

for (const [name, version] of [
  ['forkpipe-8cpu', '6'],
  ['barrier-s390x', '6'],
  ['lost-s390x', '6'],
  ['b510-execthread-4cpu', '7'],
]) {
  test(`${name} as a trace.dat of version ${version} prints the same`, () => {
    const { trace, dispose } = unpackFixture(name);
    const out = scratchFile('out.dat');
    try {
      run(corelane, ['--quiet', 'export', trace, '--tracedat', out.trace, '--file-version', version]);
      assert.equal(JSON.parse(run(corelane, ['info', '--json', out.trace])).version, Number(version));
      /** @param {string} file */
      const lines = (file) => run(corelane, ['--quiet', 'report', '-t', file]);
      assert.equal(lines(out.trace), lines(trace));
      if (installed) assert.equal(run('trace-cmd', ['report', '-t', '-i', out.trace]), lines(trace));
    } finally {
      dispose();
      out.dispose();
    }
  });
}

test('what cannot be written is refused', () => {
  const { trace, dispose } = unpackFixture('clock-x86-tsc-4cpu');
  const own = scratchFile('own.dat');
  try {
    /** @param {string[]} args */
    const refused = (...args) => {
      const { status, stderr } = spawnSync(corelane, ['--quiet', 'export', ...args], { encoding: 'utf8' });
      assert.notEqual(status, 0);
      return stderr;
    };
    const out = path.join(path.dirname(own.trace), 'out');
    assert.match(refused(trace, '--perfetto', out), /does not count nanoseconds/);
    assert.match(refused(trace, '--tracedat', out, '--min', '99999999999'), /no record of the trace is in the window/);
    copyFileSync(trace, own.trace);
    assert.match(refused(own.trace, '--tracedat', own.trace), /is the trace itself/);
    assert.ok(readFileSync(own.trace).equals(readFileSync(trace)));
    assert.match(refused(trace), /required/);
    assert.match(refused(trace, '--tracedat', out, '--perfetto', out), /cannot be used with/);
  } finally {
    dispose();
    own.dispose();
  }
});

test('the events of sched_ext are in every format', () => {
  const { trace, dispose } = unpackFixture('scx-lab-fifo-4cpu');
  const [pftrace, text, again] = ['out.pftrace', 'out.txt', 'again.dat'].map(scratchFile);
  try {
    /** @param {string} file */
    const told = (file) => {
      const { events, bypasses } = JSON.parse(run(corelane, ['--quiet', 'sched-ext', file, '--json']));
      return { events, bypasses };
    };
    const expected = told(trace);
    assert.equal(expected.bypasses.length, 2);
    run(corelane, ['--quiet', 'export', trace, '--perfetto', pftrace.trace]);
    assert.deepEqual(told(pftrace.trace), expected);
    for (const raw of [[], ['--raw']]) {
      writeFileSync(text.trace, run(corelane, ['--quiet', 'report', '-t', ...raw, trace]));
      assert.deepEqual(told(text.trace), expected, raw.join());
    }
    // Of a format without ftrace's records they are written as the kernel would have.
    run(corelane, ['--quiet', 'export', pftrace.trace, '--tracedat', again.trace]);
    assert.deepEqual(told(again.trace), expected);
    const lines = (/** @type {string} */ file) =>
      run(corelane, ['--quiet', 'report', '-t', file]).match(/ sched_ext_event: .*/g);
    assert.deepEqual(lines(again.trace), lines(trace));
    if (installed) {
      const theirs = run('trace-cmd', ['report', '-t', '-i', again.trace]);
      assert.deepEqual(theirs.match(/ sched_ext_event: .*/g), lines(trace));
    }
  } finally {
    for (const file of [{ dispose }, pftrace, text, again]) file.dispose();
  }
});

test('of chosen tasks all that they did and that was done to them is written', () => {
  const { trace, dispose } = unpackFixture('scx-lab-fifo-4cpu');
  const [dat, pftrace] = ['out.dat', 'out.pftrace'].map(scratchFile);
  try {
    /** @param {string} file */
    const lines = (file) => run(corelane, ['--quiet', 'report', '-t', '--raw', file]).split('\n');
    /** @param {string} file */
    const runs = (file) =>
      JSON.parse(run(corelane, ['--quiet', '--no-cache', 'intervals', '--json', file])).filter(
        (/** @type {any} */ { comm }) => comm === 'barrier',
      );
    const pids = new Set(runs(trace).map((/** @type {any} */ { pid }) => `${pid}`));
    assert.ok(pids.size >= 8);
    run(corelane, ['--quiet', 'export', trace, '--tracedat', dat.trace, '--comm', 'barrier']);
    const whose = /^.*-(\d+) +\[/;
    const named = /(?:pid|prev_pid|next_pid|child_pid|parent_pid|old_pid)=(\d+)/g;
    const expected = lines(trace).filter((line) => {
      if (/ sched_switch:/.test(line)) return true;
      const ids = [whose.exec(line)?.[1] ?? '', ...[...line.matchAll(named)].map(([, pid]) => pid)];
      return ids.some((pid) => pids.has(pid));
    });
    const found = lines(dat.trace).filter((line) => line.includes('['));
    assert.deepEqual(
      found.map((line) => line.replace(/^.*\[/, '[')),
      expected.map((line) => line.replace(/^.*\[/, '[')),
    );
    const counter = ['--counter', 'sched_migrate_task.dest_cpu'];
    run(corelane, ['--quiet', 'export', trace, '--perfetto', pftrace.trace, '--comm', 'barrier', ...counter]);
    const [first] = runs(trace);
    for (const file of [dat.trace, pftrace.trace]) {
      const [same] = runs(file);
      assert.equal(same.end_ns - same.start_ns, first.end_ns - first.start_ns);
      assert.equal(runs(file).length, runs(trace).length);
    }
    const refused = spawnSync(corelane, ['export', trace, '--tracedat', dat.trace, '--comm', 'nobody'], {
      encoding: 'utf8',
    });
    assert.match(refused.stderr, /no task is called nobody/);
  } finally {
    for (const file of [{ dispose }, dat, pftrace]) file.dispose();
  }
});

test('a trace for the Perfetto UI begins with a packet', () => {
  const { trace, dispose } = unpackFixture('forkpipe-8cpu');
  const out = scratchFile('out.pftrace');
  try {
    assert.match(run(corelane, ['--quiet', 'export', trace, '--perfetto', out.trace]), / records in /);
    assert.equal(readFileSync(out.trace)[0], 0x0a);
  } finally {
    dispose();
    out.dispose();
  }
});
