import { afterEach, expect, test, vi } from 'vitest';
import { watchPixelRatio } from './pixelRatio';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('every other pixel ratio is noticed, until the end', () => {
  const queries = new Map<string, EventTarget>();
  const screen = { devicePixelRatio: 1 };
  vi.stubGlobal('window', screen);
  vi.stubGlobal('matchMedia', (query: string) => {
    const target = queries.get(query) ?? new EventTarget();
    queries.set(query, target);
    return target;
  });
  const moveTo = (ratio: number): void => {
    const before = queries.get(`(resolution: ${screen.devicePixelRatio}dppx)`);
    screen.devicePixelRatio = ratio;
    before?.dispatchEvent(new Event('change'));
  };
  const seen: number[] = [];
  const end = watchPixelRatio(() => seen.push(screen.devicePixelRatio));
  moveTo(2);
  moveTo(1.25);
  // A query that held once is listened to no longer.
  queries.get('(resolution: 1dppx)')?.dispatchEvent(new Event('change'));
  expect(seen).toEqual([2, 1.25]);
  end();
  moveTo(3);
  expect(seen).toEqual([2, 1.25]);
});
