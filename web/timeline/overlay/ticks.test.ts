import { describe, expect, it } from 'vitest';
import { ns } from '../../base/units';
import { formatInstant, formatTime, tickStep, timeTicks } from './ticks';

const ticks = (start: number, end: number, origin = 0, count = 5) => {
  const { ticks, base } = timeTicks({ start: ns(start), end: ns(end) }, ns(origin), count, true);
  return { base, labels: ticks.map(({ label }) => label) };
};

describe('tick steps', () => {
  it('are 1, 2 or 5 times a power of ten', () => {
    expect(tickStep(1000, 10)).toBe(100);
    expect(tickStep(1001, 10)).toBe(200);
    expect(tickStep(2.5e9, 10)).toBe(5e8);
    expect(tickStep(6e9, 10)).toBe(1e9);
  });

  it('are never below one nanosecond', () => {
    expect(tickStep(3, 10)).toBe(1);
  });
});

describe('tick labels', () => {
  it('are in seconds for a whole trace', () => {
    expect(ticks(0, 5e9)).toEqual({ base: null, labels: ['0 s', '1 s', '2 s', '3 s', '4 s'] });
  });

  it('count from time 0, which may be after the start', () => {
    expect(ticks(0, 3e9, 1e9, 3).labels).toEqual(['−1 s', '0 s', '1 s']);
  });

  it('name the unit that fits', () => {
    expect(ticks(0, 5e6).labels).toEqual(['0 ms', '1 ms', '2 ms', '3 ms', '4 ms']);
    expect(ticks(0, 5).labels).toEqual(['0 ns', '1 ns', '2 ns', '3 ns', '4 ns']);
  });

  it('stay short far from 0: distances from a round time, which is said on the left', () => {
    expect(ticks(42.147741e9, 42.147746e9)).toEqual({
      base: '42.147 s',
      labels: ['+741 µs', '+742 µs', '+743 µs', '+744 µs', '+745 µs'],
    });
  });

  it('name round times in full between', () => {
    expect(ticks(42.1478e9, 42.1482e9, 0, 4)).toEqual({
      base: '42.147 s',
      labels: ['+800 µs', '+900 µs', '42.148 s', '+100 µs'],
    });
  });

  it('need no base on the left when they begin with a round time', () => {
    expect(ticks(42.148e9, 42.1484e9, 0, 4).base).toBeNull();
  });

  it('count ticks when the clock does', () => {
    const { ticks } = timeTicks({ start: ns(0), end: ns(3000) }, ns(0), 3, false);
    expect(ticks.map(({ label }) => label)).toEqual(['0 k ticks', '1 k ticks', '2 k ticks']);
  });
});

describe('a time', () => {
  it('has the digits that its step needs', () => {
    expect(formatTime(3.1477e9, 1e5, true)).toBe('3.1477 s');
    expect(formatTime(3.1477e9, 1, true)).toBe('3.1477 s');
    expect(formatTime(3147700001, 1, true)).toBe('3.147700001 s');
    expect(formatTime(-1500, 100, true)).toBe('−1.5 µs');
    expect(formatInstant(3.14e9, 1e5, true)).toBe('3.1400 s');
  });
});
