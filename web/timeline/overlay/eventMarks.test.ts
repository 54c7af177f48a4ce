import { describe, expect, it } from 'vitest';
import { cssPx, devPx, ns } from '../../base/units';
import { layoutLanes } from '../frame/laneLayout';
import { Timescale } from '../frame/timescale';
import type { TraceInfo } from '../frame/traceInfo';
import { flagAt, placeEvent, placeMarks } from './eventMarks';

const trace = {
  laneOf: new Map([
    [0, 0],
    [2, 1],
    [5, 2],
  ]),
} as unknown as TraceInfo;
const scale = new Timescale({ start: ns(1000), end: ns(2000) }, devPx(2000), 2);
const layout = layoutLanes(3, cssPx(60), 1, 0);
const measure = (text: string): number => text.length * 6;
const mark = (cpu: number, at: number, note = '') => ({ cpu, at: ns(at), note });

describe('marks on the lanes', () => {
  it('are at their time, on the lane of their CPU', () => {
    expect(placeMarks([mark(2, 1500, 'here')], trace, scale, layout, measure)).toEqual([
      { cpu: 2, at: 1500, x: 500, y: 30, note: 'here', flag: { text: 'here', left: 500, top: 0, width: 34 } },
    ]);
  });

  it('are left out beyond the window and on CPUs that are not there', () => {
    expect(placeMarks([mark(0, 999), mark(0, 2001), mark(3, 1500)], trace, scale, layout, measure)).toEqual([]);
    expect(placeEvent(mark(0, 1000), trace, scale, layout)?.x).toBe(0);
    expect(placeEvent(mark(0, 2000), trace, scale, layout)?.x).toBe(1000);
  });

  it('keep their flag when the lane is scrolled away', () => {
    const scrolled = layoutLanes(3, cssPx(60), 3, 1);
    expect(placeEvent(mark(0, 1500), trace, scale, scrolled)).toMatchObject({ x: 500, y: null });
  });

  it('do not hide each other: below, and without a text when there is no room at all', () => {
    const close = [0, 1, 2, 3].map((index) => mark(0, 1500 + index, 'a longer note'));
    const flags = placeMarks(close, trace, scale, layout, measure).map(({ flag }) => flag);
    expect(flags.map(({ text }) => text)).toEqual(['a longer note', 'a longer note', 'a longer note', null]);
    expect(new Set(flags.slice(0, 3).map(({ top }) => top)).size).toBe(3);
  });

  it('fly to the left at the right end, and are never longer than a part of the screen', () => {
    const [end] = placeMarks([mark(0, 1990, 'at the end')], trace, scale, layout, measure);
    expect(end?.flag.left).toBe(990 - 70);
    const [long] = placeMarks([mark(0, 1100, 'n'.repeat(40))], trace, scale, layout, measure);
    expect(long?.flag.text?.endsWith('…')).toBe(true);
    expect(long?.flag.width).toBeLessThanOrEqual(160);
  });

  it('are found by their flags', () => {
    const marks = placeMarks([mark(2, 1500, 'here'), mark(0, 1510, 'below')], trace, scale, layout, measure);
    const noteAt = (x: number, y: number): string | undefined => flagAt(marks, x, y)?.note;
    expect([noteAt(500, 0), noteAt(533, 15), noteAt(534, 5), noteAt(499, 5)]).toEqual([
      'here',
      'here',
      undefined,
      undefined,
    ]);
    expect([noteAt(515, 16), noteAt(515, 17), noteAt(515, 40)]).toEqual([undefined, 'below', undefined]);
  });
});
