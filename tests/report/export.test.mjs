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
