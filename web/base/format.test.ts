import { describe, expect, it } from 'vitest';
import { exactDuration, formatBytes, formatCount, formatDuration, formatPercent, formatTime, plural } from './format';
import { ns } from './units';

const nanoseconds = { isNs: true };
const ticks = { isNs: false };

describe('format', () => {
  it.each([
    [0, '0 ns'],
    [999, '999 ns'],
    [1000, '1.000 µs'],
    [12_345, '12.35 µs'],
    [123_456, '123.5 µs'],
    [999_960, '1.000 ms'],
    [12_345_678, '12.35 ms'],
    [1_500_000_000, '1.500 s'],
    [123_456_789_012, '123.5 s'],
    [-1500, '-1.500 µs'],
  ])('duration of %i ns', (duration, text) => {
    expect(formatDuration(nanoseconds, duration)).toBe(text);
  });

  it.each([
    [7, '7 ns'],
    [1234, '1.234 µs'],
    [12_345_678, '12.345678 ms'],
    [1_234_567_891, '1.234567891 s'],
  ])('exact duration of %i ns', (duration, text) => {
    expect(exactDuration(nanoseconds, duration)).toBe(text);
  });

  it('says ticks where the clock counts ticks', () => {
    expect(formatDuration(ticks, 12_345)).toBe('12,345 ticks');
    expect([99_999, 99_999.6, 123_456, 16_295_423_482, -8_514_922].map((of) => formatDuration(ticks, of))).toEqual([
      '99,999 ticks',
      '100.0 k ticks',
      '123.5 k ticks',
      '16.30 G ticks',
      '-8.515 M ticks',
    ]);
    expect(exactDuration(ticks, 16_295_423_482)).toBe('16,295,423,482 ticks');
    expect(exactDuration(ticks, 1)).toBe('1 tick');
    expect(formatTime(ticks, ns(15), ns(5))).toBe('10 ticks');
  });

  it('counts from time 0', () => {
    expect(formatTime(nanoseconds, ns(2_500_000_001), ns(1_000_000_000))).toBe('1.500000001 s');
    expect(formatTime(nanoseconds, ns(0), ns(1_000_000_000), 3)).toBe('-1.000 s');
  });

  it('writes bytes, counts and fractions', () => {
    expect(formatBytes(1)).toBe('1 byte');
    expect(formatBytes(999)).toBe('999 bytes');
    expect(formatBytes(1_048_154)).toBe('1.0 MB');
    expect(formatBytes(14_684_511)).toBe('15 MB');
    expect(formatCount(3_800_000)).toBe('3,800,000');
    expect(plural(1, 'CPU')).toBe('1 CPU');
    expect(plural(0, 'CPU')).toBe('0 CPUs');
    expect(formatPercent(0.0512)).toBe('5.1 %');
    expect(formatPercent(0.42)).toBe('42 %');
  });
});
