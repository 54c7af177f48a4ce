import { expect, test } from 'vitest';
import { buffersOf, transferOf } from './buffers';

test('arrays of numbers and lists of them are handed over, and nothing else', () => {
  const [values, one, two] = [new Uint32Array(2), new Float64Array(1), new Float64Array(3)];
  expect(buffersOf({ type: 'tile', values, most: 3, rows: [{ values: 1 }], file: null, numbers: [one, two] })).toEqual([
    values.buffer,
    one.buffer,
    two.buffer,
  ]);
  expect(transferOf({ type: 'answer', answer: { values } })).toEqual([values.buffer]);
  expect(transferOf({ type: 'jobProgress', answer: { values } })).toEqual([]);
  expect(transferOf({ type: 'jobProgress', answer: null })).toEqual([]);
});
