import { describe, expect, it } from 'vitest';
import { absoluteText, parseAbsolute, sinceBase } from './traceTime';
import { ns } from './units';

const clock = { baseNs: 1_234_000_005_678n, isNs: true };

describe('absolute trace times', () => {
  it('are printed with nine decimals', () => {
    expect(absoluteText(clock, ns(0))).toBe('1234.000005678');
    expect(absoluteText(clock, ns(1_000_000_000))).toBe('1235.000005678');
    expect(absoluteText({ baseNs: 5n, isNs: true }, ns(0))).toBe('0.000000005');
  });

  it('survive the way into a text and back, beyond what a double holds', () => {
    const far = { baseNs: 1_700_000_000_123_456_789n, isNs: true };
    for (const time of [0, 1, 999_999_999, 86_400_000_000_000]) {
      const parsed = parseAbsolute(absoluteText(far, ns(time)));
      expect(parsed).not.toBeNull();
      expect(sinceBase(far, parsed ?? 0n)).toBe(time);
    }
  });

  it('are bare numbers for a clock that counts ticks', () => {
    const ticks = { baseNs: 98_765_432_101_234n, isNs: false };
    expect(absoluteText(ticks, ns(6))).toBe('98765432101240');
    expect(parseAbsolute('98765432101240')).toBe(98_765_432_101_240n);
  });

  it('may have fewer decimals', () => {
    expect(parseAbsolute('1.5')).toBe(1_500_000_000n);
  });

  it.each(['', '.', '1.', '.5', '1e9', '0x10', '1.0000000001', 'NaN', ' 1', '1-2', '--1'])('rejects %j', (text) => {
    expect(parseAbsolute(text)).toBeNull();
  });

  it('may lie before the first event', () => {
    expect(sinceBase(clock, parseAbsolute('1234.000005677') ?? 0n)).toBe(-1);
    expect(absoluteText({ baseNs: 1n, isNs: true }, ns(-2))).toBe('-0.000000001');
    expect(parseAbsolute('-0.000000001')).toBe(-1n);
  });
});
