import { expect, test } from 'vitest';
import { Preparations, type Preparing } from './preparations';

/** A clock whose every reading is a millisecond later. */
function ticking(): () => number {
  let now = 0;
  return () => now++;
}

/** Runqueues are there after so many calls. */
function preparing(calls: number): Preparing & { readonly left: () => number } {
  let left = calls;
  return {
    prepareRunqueues: () => --left <= 0,
    prepareWaits: () => true,
    prepareConservation: () => true,
    left: () => left,
  };
}

test('works in slices until an index is there', () => {
  const preparations = new Preparations(ticking());
  const trace = preparing(30);
  const slices: number[] = [];
  while (!preparations.isReady('prepareRunqueues')) {
    preparations.turn(trace, 'prepareRunqueues');
    slices.push(trace.left());
  }
  expect(slices).toEqual([18, 6, 0]);
});

test('what is there serves all that need it, and nothing else', () => {
  const preparations = new Preparations(ticking());
  expect(preparations.isReady(undefined)).toBe(true);
  preparations.turn(preparing(1), 'prepareRunqueues');
  expect(preparations.isReady('prepareRunqueues')).toBe(true);
  expect(preparations.isReady('prepareWaits')).toBe(false);
});

test('another view prepares anew', () => {
  const preparations = new Preparations(ticking());
  preparations.turn(preparing(1), 'prepareRunqueues');
  preparations.reset();
  expect(preparations.isReady('prepareRunqueues')).toBe(false);
});
