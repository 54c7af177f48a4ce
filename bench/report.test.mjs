import { expect, test } from 'vitest';
import { checksOf, hoverChecks } from './checks.mjs';
import { comparison } from './history.mjs';
import { median, queryPlan, questionPlan } from './plan.mjs';
import { hottest } from './profile.mjs';
import { holds, short, table } from './report.mjs';
import { extrapolated } from './scaling.mjs';

test('the median of an even number lies between the middle two', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([])).toBeNaN();
});

test.each([1, 1600, 1e6, 7.3e9, 3.6e12])('a pane of a trace of %i ns has enough buckets at every zoom', (span) => {
  for (const { level, buckets } of queryPlan(span)) {
    expect(level).toBeGreaterThanOrEqual(0);
    expect(buckets).toBeGreaterThanOrEqual(1600);
    expect(buckets).toBeLessThanOrEqual(3200);
  }
});

test.each([
  [0.123456, '0.123'],
  [12.34, '12.3'],
  [1234, '1234'],
  [56_789, '56.8 k'],
  [3_764_889, '3.76 M'],
  [Number.NaN, '-'],
])('%d is short as %s', (value, text) => {
  expect(short(value)).toBe(text);
});

test('a table aligns text left and numbers right', () => {
  expect(
    table(
      ['what', 'ms'],
      [
        ['scan', '7'],
        ['a build', '12'],
      ],
    ).split('\n'),
  ).toEqual(['| what    |  ms |', '| ------- | --: |', '| scan    |   7 |', '| a build |  12 |']);
});

test('a check without a measured value is broken', () => {
  const check = { name: '', aim: 1, bound: 1 };
  expect(holds({ ...check, value: 1, direction: 'at least' })).toBe(true);
  expect(holds({ ...check, value: Number.NaN, direction: 'at least' })).toBe(false);
  expect(holds({ ...check, value: Number.NaN, direction: 'at most' })).toBe(false);
});

test('rates are checked for traces with many events, sizes against the smallest', () => {
  /** @param {number} records @param {number} cellsMs */
  const round = (records, cellsMs) => ({
    bytes: 1,
    cpus: 10,
    records,
    schedEvents: records,
    scanMs: 10,
    pageScanMs: 15,
    buildMs: 6,
    indexMs: 4,
    heldBytes: 40 * records,
    peakBytes: 60 * records,
    restoreMs: 4,
    answers: [
      { name: 'cells 10 x 1600, 1/1', ms: cellsMs / 2, stepMs: 1, firstMs: 1, firstStepMs: 1 },
      { name: 'cells 10 x 1600, 1/16', ms: cellsMs, stepMs: 1, firstMs: 1, firstStepMs: 1 },
      { name: 'cells 512 x 2560, 1/1', ms: 4, stepMs: 1, firstMs: 1, firstStepMs: 1 },
      { name: 'statistics, 1/1', ms: 900, stepMs: 16, firstMs: 1, firstStepMs: 8 },
      { name: 'depths 10 x 1600, 1/1', ms: 8, stepMs: 1, firstMs: 1, firstStepMs: 4 },
      { name: 'depths 10 x 1600, 1/16', ms: 2, stepMs: 1, firstMs: 1, firstStepMs: 4 },
      { name: 'wait of a run', ms: 0.6, stepMs: 1, firstMs: 1, firstStepMs: 1 },
      { name: 'placement of a run', ms: 1, stepMs: 1, firstMs: 1, firstStepMs: 1 },
      { name: 'findings', ms: 500, stepMs: 8, firstMs: 500, firstStepMs: 1 },
      { name: 'waits', ms: 50, stepMs: 4, firstMs: 50, firstStepMs: 1 },
    ],
    raw: {
      mergeMs: 5,
      windowMs: 1,
      orderMs: 1,
      indexBytes: 3,
      listBytes: 4,
      rowsMs: 1,
      nameFilterPerS: 1,
      taskFilterPerS: 1,
      textSearchPerS: records * 50,
    },
  });
  const measured = (/** @type {string} */ name, /** @type {ReturnType<typeof round>} */ of) => ({
    name,
    native: [of],
    wasm: [of],
    others: { 'trace-cmd report': [100], "KernelShark's loader": [40] },
    report: [25],
    figures: [[{ name: 'whole, SVG', ms: 15, bytes: 2e6 }]],
    browser: [],
  });
  const small = measured('small', round(10, 1));
  const large = measured('large', round(1e6, 2));
  expect(checksOf([small, large]).map(({ name, value }) => [name, value])).toEqual([
    ['large: rate of wasm, of native that keeps as much', 1.25],
    ['large: bytes for each scheduling event', 40],
    ['large: peak while opening, of bytes held', 1.5],
    ['large: time of merging all records, of scanning them', 0.5],
    ['large: time of searching all texts, of scanning', 2],
    ['large: bytes that a scan leaves of each record', 3],
    ['large: time of building, of scanning', 0.6],
    ['large: time of opening, of reading the stored model', 5],
    ['large: longest step of a job, frames', 0.5],
    ['large: longest step of a job in wasm, frames', 0.5],
    ['large: longest step of a question of the screen in wasm, frames', 1],
    ['large: longest step of one that is asked first in wasm, frames', 0.5],
    ['large: explaining 95 of 100 runs, frames', 0.1],
    ['large: cells 512 x 2560 in wasm, ms', 4],
    ['large: depths of all, of a 16th', 4],
    ['large: time of figure (whole, SVG), of scanning and building', 0.75],
    ['large: MB of figure (whole, SVG)', 2],
    ["large: rate of native, of KernelShark's loader", 2],
    ['large: rate of native, of trace-cmd report', 5],
    ['large: rate of corelane report, of trace-cmd report', 4],
    ['slowest cells query per lane, large of small', 2],
  ]);
});

test('opening in Chromium is checked against reading alone, where that takes long', () => {
  const load = (/** @type {number} */ readMs) => ({
    ...{ readMs, openedMs: 3000, metadataMs: 1, firstPreviewMs: 2, scannedMs: 3, reopenedMs: null, previews: 1 },
    ...{ records: 1e6, queries: [] },
    events: {
      ...{ firstRowsMs: 1, randomRowsMs: { median: 1, p95: 1 } },
      ...{ nameFilterPerS: 1, taskFilterPerS: 1, textSearchPerS: 1 },
    },
  });
  const of = (/** @type {number} */ bytes) => {
    const round = { bytes, cpus: 1, records: 1e6, schedEvents: 1e6, scanMs: 1, buildMs: 1, peakBytes: 1, answers: [] };
    const browser = [load(1000), load(1500), load(750)];
    const all = { name: 'one', native: [round], wasm: [round], others: {}, report: [], figures: [], browser };
    return checksOf([all]).filter(({ name }) => name.includes('merely reading'));
  };
  expect(of(4e8)).toEqual([]);
  expect(of(6e8).map(({ name, value }) => [name, value])).toEqual([
    ['one: opening in Chromium, of merely reading the file there', 3],
  ]);
});

test.each([8, 128, 512])('a plan for %i CPUs asks about CPUs that there are, in names of their own', (cpus) => {
  const plan = questionPlan({ span: 9e9, cpus });
  const names = plan.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => name.startsWith('cells'))).toHaveLength(cpus === 512 ? 8 : 4);
  for (const { questions } of plan) {
    for (const question of questions) {
      const [asked] = Object.values(question);
      if (asked.kind === 'cpu') expect(Math.max(...asked.keys)).toBeLessThan(cpus);
      if ('cpu' in asked) expect(asked.cpu).toBeLessThan(cpus);
    }
  }
});

test('what changed by more than a tenth is compared with the run before', () => {
  const before = { big: { 'scan, ms': 100, 'build, ms': 50, 'curve, ms': 0.001 } };
  const now = {
    big: { 'scan, ms': 50, 'build, ms': 52, 'curve, ms': 0.01, 'indexes, ms': 3 },
    other: { 'scan, ms': 1 },
  };
  expect(comparison(before, now).split('\n').slice(2)).toEqual([
    '| big: scan, ms                |    100 |  50 |   0.5 |',
  ]);
  expect(comparison(before, before)).toContain('Nothing changed');
  expect(comparison({}, now)).toContain('no run before');
});

test('a pointer that redraws lanes, renders, forces layouts or makes many objects breaks the bench', () => {
  const quiet = { moves: 300, ownMs: 5, own99Ms: 9, bytes: 9000, cells: 1, commits: 1, layouts: 0 };
  const parts = { script: 1, layout: 1, paint: 1, raster: 1, other: 1 };
  const broken = (/** @type {Partial<typeof quiet>} */ change) =>
    hoverChecks('trace', { ...quiet, parts, ...change }).filter((check) => !holds(check)).length;
  expect(broken({})).toBe(0);
  expect(broken({ bytes: 173_000 })).toBe(1);
  expect(broken({ cells: 300, commits: 300, layouts: 300 })).toBe(3);
});

test('the part that a second thread does not shorten is serial', () => {
  expect(extrapolated([100, 60], 8)).toBe(30);
  expect(extrapolated([100, 50], 10)).toBe(10);
  expect(extrapolated([100, 120], 16)).toBe(100);
});

test("the functions with the most instructions are found in cachegrind's file", () => {
  const text = [
    'desc: D1 cache: 32768 B',
    'cmd: program',
    'events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw Bc Bcm Bi Bim',
    'fl=???',
    'fn=small::one::h0123456789abcdef',
    '0 5 0 0 1 1 1 0 0 0 1 1 0 0',
    'fn=large',
    '10 100 9 9 20 3 1 10 2 1 50 7 5 1',
    '11 1 0 0 0 0 0 0 0 0 0 0 0 0',
    'fl=other.c',
    'fn=small::one::h0123456789abcdef',
    '0 5 0 0 0 0 0 2 0 0 0 0 0 0',
    'summary: 111 9 9 21 4 2 12 2 1 51 8 5 1',
  ].join('\n');
  expect(hottest(text)).toEqual([
    ['large', [101, 30, 5, 2, 8]],
    ['small::one', [10, 3, 1, 1, 1]],
  ]);
});
