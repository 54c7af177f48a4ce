import { describe, expect, it } from 'vitest';
import { ns } from '../../base/units';
import type { EventRow } from '../../engine/protocol';
import { hoverLine } from './hoverLine';
import { cutAtHits, firstLine, lostText, sinceText, taskText, timeText } from './rowTexts';

const clock = { baseNs: 160_498_419_123n, isNs: true };
const ticks = { baseNs: 254_175_278_781n, isNs: false };

describe('the cells of a row', () => {
  it('tell the time from time 0 or as trace-cmd does', () => {
    expect(timeText(clock, ns(1_500_000_001), ns(1_000_000_000), false)).toBe('0.500000001');
    expect(timeText(clock, ns(1_000), ns(0), true)).toBe('160.498420123');
    expect(timeText(ticks, ns(1_234_567), ns(0), false)).toBe('1,234,567');
    expect(timeText(ticks, ns(1), ns(0), true)).toBe('254175278782');
  });

  it('tell the time since the row before', () => {
    expect(sinceText(clock, ns(13_345), ns(1_000))).toBe('+12.35 µs');
    expect(sinceText(clock, ns(5), ns(5))).toBe('+0 ns');
    expect(sinceText(clock, ns(5), null)).toBe('');
  });

  it('name the task, and what was lost', () => {
    expect(taskText({ comm: '<idle>', pid: 0 })).toBe('<idle>-0');
    expect(lostText(1390)).toBe('1,390 lost before');
    expect(lostText('some')).toBe('events lost before');
    expect(lostText(null)).toBeNull();
  });

  it('hold one line', () => {
    expect(firstLine('a b\n')).toEqual({ line: 'a b', hasMore: false });
    expect(firstLine('<stack trace >\n=> f\n=> g\n')).toEqual({ line: '<stack trace >', hasMore: true });
  });

  it('are cut at hits, whatever the case', () => {
    expect(cutAtHits('Sched_switch: sched', 'sched')).toEqual(['', 'Sched', '_switch: ', 'sched', '']);
    expect(cutAtHits('abc', '')).toEqual(['abc']);
    expect(cutAtHits('abc', 'x')).toEqual(['abc']);
    expect(cutAtHits('aaa', 'aa')).toEqual(['', 'aa', 'a']);
    expect(cutAtHits('İi', 'i')).toEqual(['İi']);
  });
});

it('draws the hovered instant above the first row that is not before it', () => {
  const rows = new Map([10, 20, 20, 30].map((at, row) => [row, { at: ns(at) } as EventRow]));
  expect(hoverLine(rows, 0, 4, ns(9))).toBeNull();
  expect(hoverLine(rows, 0, 4, ns(10))).toBe(0);
  expect(hoverLine(rows, 0, 4, ns(11))).toBe(1);
  expect(hoverLine(rows, 0, 4, ns(20))).toBe(1);
  expect(hoverLine(rows, 0, 4, ns(30))).toBe(3);
  expect(hoverLine(rows, 0, 4, ns(31))).toBeNull();
  expect(hoverLine(rows, 0, 5, ns(20))).toBeNull();
});
