import { expect, test, vi } from 'vitest';
import { insist, Retries } from './retries';

const failed = { kind: 'failed', error: { kind: 'internal', what: 'it stopped', where: null, advice: '' } } as const;

test('a question is asked again twice, and anew after another question', () => {
  const retries = new Retries();
  expect([retries.take(), retries.take(), retries.take(), retries.take()]).toEqual([true, true, false, false]);
  retries.reset();
  expect([retries.take(), retries.take(), retries.take()]).toEqual([true, true, false]);
});

test('an answer ends the asking, and so does what is no failure or not wanted', async () => {
  const outcomes = [failed, failed, { kind: 'answer', answer: 7 } as const];
  const ask = vi.fn(async () => outcomes.shift() ?? failed);
  expect(await insist(ask, () => true)).toEqual({ kind: 'answer', answer: 7 });
  expect(await insist(ask, () => true)).toEqual(failed);
  expect(ask).toHaveBeenCalledTimes(3 + 3);
  const superseded = vi.fn(async () => ({ kind: 'superseded' }) as const);
  await insist(superseded, () => true);
  expect(superseded).toHaveBeenCalledTimes(1);
  ask.mockClear();
  await insist(ask, () => false);
  expect(ask).toHaveBeenCalledTimes(1);
});
