import { expect, test } from 'vitest';
import { EngineFailure, engineErrorOf } from './errors';
import type { EngineError } from './protocol';

const TRUNCATED: EngineError = {
  kind: 'truncated',
  what: 'the file ends in the header',
  where: '0x1c',
  advice: 'Record it again.',
};

test('an engine error comes through in each of its forms', () => {
  expect(engineErrorOf(TRUNCATED)).toEqual(TRUNCATED);
  expect(engineErrorOf(new EngineFailure(TRUNCATED))).toEqual(TRUNCATED);
  expect(engineErrorOf(JSON.stringify(TRUNCATED))).toEqual(TRUNCATED);
});

test.each([
  [new WebAssembly.RuntimeError('unreachable'), 'memory'],
  [new WebAssembly.RuntimeError('Unreachable code should not be executed'), 'memory'],
  [new WebAssembly.RuntimeError('memory access out of bounds'), 'internal'],
  [new RangeError('Array buffer allocation failed'), 'memory'],
  [new RangeError('Maximum call stack size exceeded'), 'internal'],
  [new DOMException('gone', 'NotReadableError'), 'io'],
  [new Error('index out of bounds'), 'internal'],
  ['{"kind":"truncated"}', 'internal'],
  [undefined, 'internal'],
])('%s is %s', (thrown, kind) => {
  const error = engineErrorOf(thrown);
  expect(error.kind).toBe(kind);
  expect(error.what).not.toBe('');
  expect(error.advice).not.toBe('');
});
