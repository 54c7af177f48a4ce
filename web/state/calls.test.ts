import { expect, test } from 'vitest';
import { initialCalls, MAX_COMPAT, parseCalls, printCalls, toggleCompat, withCalls } from './calls';

test('the words of the tab come back, and others are refused', () => {
  const words = { by: 'task', list: 'threads', span: 'window', errors: true, net: true } as const;
  expect(printCalls(words)).toBe('task,threads,window,errors,net');
  expect(parseCalls('task,threads,window,errors,net')).toEqual(words);
  expect(parseCalls('errors')).toEqual({ by: 'call', list: 'calls', span: 'whole', errors: true, net: false });
  expect(parseCalls('')).toBeNull();
  expect(parseCalls('task,process')).toBeNull();
  expect(parseCalls('task,futex')).toBeNull();
});

test('a row is of one kind of rows', () => {
  const view = withCalls(initialCalls, { row: 'futex' });
  expect(withCalls(view, { errors: true }).row).toBe('futex');
  expect(withCalls(view, { by: 'task' }).row).toBeNull();
  expect(withCalls(view, { by: 'call' })).toBe(view);
});

test('tasks of 32 bits are added and taken away, and bounded', () => {
  expect(toggleCompat(['bash'], '304')).toEqual(['bash', '304']);
  expect(toggleCompat(['bash', '304'], 'bash')).toEqual(['304']);
  const many = Array.from({ length: MAX_COMPAT }, (_, i) => `${i}`);
  expect(toggleCompat(many, 'one more')).toHaveLength(MAX_COMPAT);
});
