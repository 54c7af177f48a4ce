import { describe, expect, it } from 'vitest';
import { ns } from '../base/units';
import type { Interval } from '../engine/protocol';
import { noHover } from '../state/hover';
import { hoveredInstant } from './markTime';

const run: Interval = { cpu: 2, start: ns(1000), end: ns(3000), kind: 'run', inferred: false, open: false };
const hover = (at: number | null, cpu: number | null = 2, interval: Interval | null = run) => ({
  ...noHover,
  at: at === null ? null : ns(at),
  cpu,
  interval,
});

describe('a mark at the pointer', () => {
  it('is where a run begins or ends when the pointer is near that', () => {
    expect(hoveredInstant(hover(1040), 50)).toBe(1000);
    expect(hoveredInstant(hover(980), 50)).toBe(1000);
    expect(hoveredInstant(hover(2960), 50)).toBe(3000);
    expect(hoveredInstant(hover(1051), 50)).toBe(1051);
  });

  it('is nowhere else than the pointer when nothing is known of the lane there', () => {
    expect(hoveredInstant(hover(1040, 2, null), 50)).toBe(1040);
    // This answer is for the lane that the pointer has left.
    expect(hoveredInstant(hover(1040, 3), 50)).toBe(1040);
    expect(hoveredInstant(hover(1040, null), 50)).toBe(1040);
    expect(hoveredInstant(hover(null), 50)).toBeNull();
  });
});
