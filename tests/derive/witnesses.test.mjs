// @ts-check
// Checks that trace-cmd prints the lines with which docs/witnesses.md proves what is found in recordings.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { ROOT } from '../lib/build.mjs';

const document = readFileSync(path.join(ROOT, 'docs/witnesses.md'), 'utf8');

/**
 * The parts of a line: pid, CPU, time, event and fields. With flags (-l) the CPU comes before them, and comms are cut.
 *
 * @param {string} line
 */
function said(line) {
  const parts = /-(\d+) +(?:\[0*(\d+)\]|0*(\d+)-0x\w+) +(\d+\.\d+): +(\w+): +(.*?) *$/.exec(line);
  if (!parts) return undefined;
  const [, pid, bracketed, flagged, time, event, fields] = parts;
  return { pid, cpu: bracketed ?? flagged, time: Number(time), event, fields };
}

/** @param {string} name */
function fixture(name) {
  const text = brotliDecompressSync(readFileSync(path.join(ROOT, `tests/fixtures/${name}.report.br`))).toString();
  return text.split('\n');
}

test('every line of the fixtures that is quoted is a line of theirs', () => {
  const lines = ['barrier32-badplace', 'pinned-4cpu', 'scx-lab-fifo-4cpu'].flatMap(fixture);
  const known = new Set(lines.map((line) => JSON.stringify(said(line))));
  const quoted = document.split('\n').filter((line) => /^ {4}.*\[\d+\]/.test(line));
  assert.equal(quoted.length, 25);
  for (const line of quoted) assert.ok(known.has(JSON.stringify(said(line))), line);
});

test('nothing is queued on CPU 2, or on its way there, when rcu_preempt is woken', () => {
  const events = fixture('scx-lab-fifo-4cpu').flatMap((line) => said(line) ?? []);
  const about = events.filter(
    ({ cpu, event, fields }) =>
      (cpu === '2' && event === 'sched_switch') || /(target_cpu=0*2|dest_cpu=2|orig_cpu=2)\b/.test(fields),
  );
  const first = about.findIndex(({ time }) => time === 312.830972685);
  assert.deepEqual(
    about.slice(first, first + 5).map(({ event, time }) => `${event} ${time.toFixed(9)}`),
    [
      'sched_switch 312.830972685',
      'sched_waking 312.832910697',
      'sched_migrate_task 312.832939326',
      // The next task for CPU 2 is created after that.
      'sched_wakeup_new 312.836183600',
      'sched_switch 312.837877577',
    ],
  );
  // A CPU goes idle with an empty runqueue.
  assert.match(about[first].fields, /next_pid=0 /);
});

test('CPU 30 has no switch while barrier-655 waits', () => {
  const switches = fixture('barrier32-badplace')
    .map(said)
    .filter((event) => event?.event === 'sched_switch' && event.cpu === '30');
  assert.ok(switches.length > 2);
  assert.ok(!switches.some((event) => event && event.time > 284.2915031 && event.time < 291.0609781));
});

test('the pinned tasks are switched to on CPU 1 alone', () => {
  const pinned = fixture('pinned-4cpu').filter((line) => /next_pid=(21[6-9]|22\d) /.test(line));
  assert.equal(pinned.length, 102);
  assert.deepEqual([...new Set(pinned.map((line) => said(line)?.cpu))], ['1']);
});
