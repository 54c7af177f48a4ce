import { expect, test } from 'vitest';
import { untold, untoldHere } from './cannotTell';

const scxtop = { format: 'perfetto', writer: 'scxtop', cannot_tell: ['waker', 'context', 'migrations'] };

test('a pane says what of its own is not known', () => {
  expect(untoldHere(scxtop, ['context', 'waker', 'loss'])).toBe(
    'This trace (perfetto, written by scxtop) does not say who woke a task and whether a task or an interrupt woke: wakeup chains end as unknown.',
  );
  expect(untoldHere(scxtop, ['migrations'])).toContain('derived from where tasks run.');
  expect(untoldHere(scxtop, ['loss', 'chosen_cpu'])).toBeNull();
});

test('all of it is listed, also what is not known here', () => {
  expect(untold({ ...scxtop, cannot_tell: ['migrations', 'colour'] })).toEqual([
    'when a task went to another CPU: migrations are derived from where tasks run',
    'colour',
  ]);
});
