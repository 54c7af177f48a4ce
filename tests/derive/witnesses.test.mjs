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
  const lines = ['barrier32-badplace', 'pinned-4cpu'].flatMap(fixture);
  const known = new Set(lines.map((line) => JSON.stringify(said(line))));
  const quoted = document.split('\n').filter((line) => /^ {4}.*\[\d+\]/.test(line));
  // The lines of the last violation but one belong to a recording that is no fixture.
  const ofFixtures = quoted.filter((line) => !line.includes('pid=379'));
  assert.equal(quoted.length - ofFixtures.length, 4);
  assert.equal(ofFixtures.length, 20);
  for (const line of ofFixtures) assert.ok(known.has(JSON.stringify(said(line))), line);
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
