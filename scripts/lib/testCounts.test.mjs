import { expect, test } from 'vitest';
import { countTests } from './testCounts.mjs';

test('adds the test programs of cargo', () => {
  const output = [
    'running 3 tests',
    'test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s',
    'test result: FAILED. 10 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.20s',
  ].join('\n');
  expect(countTests(output)).toEqual({ passed: 13, failed: 2 });
});

test('reads the tests of vitest, not its files, in colour too', () => {
  const output = [
    '\u001b[2m Test Files \u001b[22m \u001b[1m\u001b[31m1 failed\u001b[39m | \u001b[32m4 passed\u001b[39m (5)',
    '\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[31m1 failed\u001b[39m\u001b[2m | \u001b[22m\u001b[32m9 passed\u001b[39m (10)',
  ].join('\n');
  expect(countTests(output)).toEqual({ passed: 9, failed: 1 });
});

test('reads the outcomes of Playwright', () => {
  const output = [
    '  1 failed',
    '    story.spec.ts:3:1 › opens',
    '  2 flaky',
    '  1 skipped',
    '  17 passed (41.2s)',
  ].join('\n');
  expect(countTests(output)).toEqual({ passed: 17, failed: 3 });
});

test("reads Node's runner and our own line of totals", () => {
  const output = ['ℹ tests 7', 'ℹ pass 6', 'ℹ fail 1', 'ok   fixture: 0 differences', '11 passed, 2 failed'].join('\n');
  expect(countTests(output)).toEqual({ passed: 17, failed: 3 });
});

test('counts nothing in the output of a linter', () => {
  expect(countTests('Checked 40 files in 1s. No fixes applied.')).toEqual({ passed: 0, failed: 0 });
});
