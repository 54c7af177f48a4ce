import { expect, it } from 'vitest';
import { Steps } from './steps';

/** A step of which the test says when it ends. */
function held(log: string[], name: string): { readonly step: () => Promise<void>; end: () => void } {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const step = async () => {
    log.push(`${name} begins`);
    await ended;
    log.push(`${name} ends`);
  };
  return { step, end };
}

it('takes a step when the one before has ended', async () => {
  const [log, steps] = [[] as string[], new Steps()];
  const [first, second] = [held(log, 'first'), held(log, 'second')];
  void steps.take(first.step);
  const last = steps.take(second.step);
  second.end();
  await Promise.resolve();
  expect(log).toEqual(['first begins']);
  first.end();
  await last;
  expect(log).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
});

it('leaves out what comes while too many wait, and goes on later', async () => {
  const [log, steps] = [[] as string[], new Steps()];
  const first = held(log, 'held');
  void steps.take(first.step);
  let taken = 0;
  const count = async () => {
    taken++;
  };
  for (let press = 0; press < 100; press++) void steps.take(count);
  first.end();
  await steps.take(count);
  expect(taken).toBe(7);
  await steps.take(count);
  expect(taken).toBe(8);
});
