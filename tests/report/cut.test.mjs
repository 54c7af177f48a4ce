// @ts-check
// `corelane cut` by the text of its files: `trace-cmd report` prints the lines of the window, and no others.
//
// The expected lines are the installed trace-cmd's of the whole recording. Without trace-cmd, `corelane report` prints
// both, which the other tests of this folder compare with texts that trace-cmd has printed.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { hasTraceCmd } from '../derive/traceCmd.mjs';
import { build } from '../lib/build.mjs';
import { scratchFile } from '../lib/traceFiles.mjs';
import { unpackFixture } from './sources.mjs';

/** Version 6 and 7; plain, zlib and zstd; both byte orders and word sizes; lost events, instances, other clocks. */
const NAMES = [
  'b510-execthread-4cpu',
  'b510-clock-x86-tsc-4cpu',
  'barrier-i686',
  'barrier-s390x',
  'lost-s390x',
  'forkpipe-aarch64',
  'instances-4cpu',
  'clock-x86-tsc-4cpu',
  'clock-tsc2nsec-4cpu',
  'offline-4cpu',
];

const corelane = build('tracecore-cli', 'corelane');
const installed = await hasTraceCmd();

/** @param {string} command @param {string[]} args */
function run(command, args) {
  return execFileSync(command, args, { encoding: 'latin1', maxBuffer: 2 ** 28 });
}

/**
 * What is printed of each record: the line of lost events before it, its line, and the lines of its stack. With its time.
 *
 * @param {string} trace
 */
function printed(trace) {
  const text = installed
    ? run('trace-cmd', ['report', '-t', '-i', trace])
    : run(corelane, ['--quiet', 'report', '-t', trace]);
  /** @type {{time: bigint, cpu: number, isNs: boolean, lines: string[]}[]} */
  const records = [];
  /** @type {string[]} */
  let lost = [];
  for (const line of text.split('\n').slice(1)) {
    const start = /-\d+\s+\[(\d+)\]\s*(\d+)(?:\.(\d{9}))?: /.exec(line);
    if (start) {
      const time = BigInt(start[2] + (start[3] ?? ''));
      records.push({ time, cpu: Number(start[1]), isNs: start[3] !== undefined, lines: [...lost, line] });
      lost = [];
    } else if (line.includes('EVENTS DROPPED')) lost.push(line);
    else if (line !== '') records.at(-1)?.lines.push(line);
  }
  return records;
}

for (const name of NAMES) {
  test(`a cut of ${name} prints the lines of its window`, () => {
    const { trace, dispose } = unpackFixture(name);
    const cut = scratchFile('cut.dat');
    try {
      const whole = printed(trace);
      assert.ok(whole.length > 100);
      const zero = BigInt(/"first_ns": (\d+)/.exec(run(corelane, ['--quiet', 'info', '--json', trace]))?.[1] ?? '');
      const time = (/** @type {number} */ share) => whole[Math.floor(whole.length * share)].time;
      /** @type {[bigint, bigint, number[]?][]} */
      const windows = [
        [time(0.3), time(0.32)],
        [time(0.1), time(0.9)],
        [time(0.5), time(0.7), [1, 3]],
      ];
      for (const [from, to, cpus] of windows) {
        const option = (/** @type {bigint} */ at) => {
          const since = String(at - zero);
          return whole[0].isNs ? since.padStart(10, '0').replace(/(?=.{9}$)/, '.') : since;
        };
        const ends = ['--min', option(from), '--max', option(to), ...(cpus ? ['--cpu', cpus.join(',')] : [])];
        run(corelane, ['--quiet', 'cut', trace, '-o', cut.trace, ...ends]);
        const inside = whole.filter((record) => from <= record.time && record.time < to);
        if (!cpus) assert.deepEqual(lines(printed(cut.trace)), lines(inside));
        // The names that events of other CPUs in the window told are not known.
        else assert.deepEqual(places(printed(cut.trace)), places(inside.filter(({ cpu }) => cpus.includes(cpu))));
      }
      run(corelane, ['--quiet', 'cut', trace, '-o', cut.trace]);
      assert.deepEqual(lines(printed(cut.trace)), lines(whole));
    } finally {
      dispose();
      cut.dispose();
    }
  });
}

/** @param {ReturnType<typeof printed>} records */
function lines(records) {
  return records.flatMap((record) => record.lines);
}

/** @param {ReturnType<typeof printed>} records */
function places(records) {
  return records.map(({ lines }) => lines.map((line) => line.replace(/^.*?(?=\[\d+\])/, '')));
}

test('a window without records, and what is no trace.dat, are refused', () => {
  const { trace, dispose } = unpackFixture('pinned-4cpu');
  const cut = scratchFile('cut.dat');
  const refused = (/** @type {string[]} */ args) => {
    try {
      run(corelane, ['cut', ...args]);
    } catch (error) {
      return `${/** @type {any} */ (error).stderr}`;
    }
    return '';
  };
  assert.match(refused([trace, '-o', cut.trace, '--min', '1000']), /no record of the trace is in the window/);
  assert.match(refused([trace, '-o', '/nowhere/cut.dat']), /nowhere\/cut\.dat: /);
  assert.match(refused(['package.json', '-o', cut.trace]), /package\.json: /);
  dispose();
  cut.dispose();
});

test('the runs of a cut are those of the whole', () => {
  const { trace, dispose } = unpackFixture('barrier32-badplace');
  const cut = scratchFile('cut.dat');
  run(corelane, ['--quiet', 'cut', trace, '-o', cut.trace, '--min', '2', '--max', '4']);
  const runs = (/** @type {string} */ of) =>
    run(corelane, ['--quiet', 'intervals', of, '--csv']).split('\n').slice(1, -1);
  const all = new Set(runs(trace));
  // The first and the last of each CPU begin or end outside of the window.
  /** @type {Map<string, string[]>} */
  const byCpu = new Map();
  for (const line of runs(cut.trace)) {
    const cpu = line.split(',', 1)[0];
    byCpu.set(cpu, [...(byCpu.get(cpu) ?? []), line]);
  }
  const inner = [...byCpu.values()].flatMap((lines) => lines.slice(2, -1));
  assert.ok(inner.length > 500, `${inner.length}`);
  assert.deepEqual(
    inner.filter((line) => !all.has(line)),
    [],
  );
  dispose();
  cut.dispose();
});
