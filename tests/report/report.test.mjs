// @ts-check
// Tests the comparison itself: it has to find what differs.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { compareTexts, eventOf } from './compare.mjs';
import { readTexts, writeTexts } from './texts.mjs';

/** @param {string} expected @param {string} actual @param {number} [chunk] bytes handed over at a time */
async function differences(expected, actual, chunk = 7) {
  /** @type {string[]} */
  const found = [];
  const lines = await compareTexts(chunks(expected, chunk), chunks(actual, chunk + 4), ({ line, expected, actual }) => {
    found.push(`${line}: ${expected} | ${actual}`);
  });
  return { found, lines };
}

/** @param {string} text @param {number} size */
function* chunks(text, size) {
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** @param {number} count */
function numbered(count) {
  return Array.from({ length: count }, (_, index) => `line ${index}\n`);
}

test('equal texts have no differences, wherever they are cut', async () => {
  const text = numbered(500).join('');
  for (const chunk of [1, 13, 1000, 100_000]) {
    assert.deepEqual(await differences(text, text, chunk), { found: [], lines: 500 });
  }
  assert.deepEqual(await differences('', ''), { found: [], lines: 0 });
  assert.deepEqual(await differences('a\nb', 'a\nb\n'), { found: [], lines: 2 });
});

test('a changed line is one difference', async () => {
  const lines = numbered(300);
  const changed = lines.with(150, 'other\n').with(299, 'end\n');
  const { found } = await differences(lines.join(''), changed.join(''));
  assert.deepEqual(found, ['151: line 150 | other', '300: line 299 | end']);
});

test('missing and additional lines do not spoil the rest', async () => {
  const lines = numbered(300);
  const { found } = await differences(lines.join(''), lines.toSpliced(100, 2).toSpliced(200, 0, 'more\n').join(''));
  assert.deepEqual(found, ['101: line 100 | null', '102: line 101 | null', '202: null | more']);
  assert.deepEqual((await differences('a\nb\n', 'a\n')).found, ['2: b | null']);
  assert.deepEqual((await differences('', 'a\n')).found, ['0: null | a']);
});

test('texts that never agree differ in every line', async () => {
  const { found } = await differences(numbered(200).join(''), numbered(200).join('').replaceAll('line', 'row'));
  assert.equal(found.length, 200);
});

test('bytes that are no UTF-8 are compared as bytes', async () => {
  assert.deepEqual((await differences('a\xff\n', 'a\xfe\n')).found.length, 1);
  assert.deepEqual((await differences('a\xff\n', 'a\xff\n')).found.length, 0);
});

test('the event of a line is known', () => {
  assert.equal(eventOf('    bash-1 [000]  1.000001: sched_switch:   bash:1 [120]'), 'sched_switch');
  assert.equal(eventOf('    kworker/0:1-1 [000]12345: print: a: b'), 'print');
  assert.equal(eventOf('\t=> schedule (ffffffff81000000)'), undefined);
});

test('stored texts come back', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'corelane-texts-'));
  const stored = path.join(folder, 'x.texts.br');
  const texts = {
    report: Buffer.from('a\nb\xff\n', 'latin1'),
    'report-R': Buffer.from('c\n\nd\n'),
    'report-l': Buffer.from(''),
  };
  writeTexts(stored, texts, { of: 'all', args: ['--records', '1'], sha256: '00' });
  const { header, texts: back } = readTexts(stored);
  assert.deepEqual(back, texts);
  assert.deepEqual(header.sweep?.of, 'all');
  rmSync(folder, { recursive: true });
});
