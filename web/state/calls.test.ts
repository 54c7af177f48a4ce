import { expect, test } from 'vitest';
import { initialCalls, parseCalls, printCalls, withCalls } from './calls';

test('the words of the tab come back, and others are refused', () => {
  const words = { by: 'task', list: 'threads', span: 'window', errors: true } as const;
  expect(printCalls(words)).toBe('task,threads,window,errors');
  expect(parseCalls('task,threads,window,errors')).toEqual(words);
  expect(parseCalls('errors')).toEqual({ by: 'call', list: 'calls', span: 'whole', errors: true });
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
