import { describe, expect, it } from 'vitest';
import { devPx, ns } from '../../base/units';
import { Timescale } from '../frame/timescale';
import { besideTags, placeTimeMarks, TAG_WIDTH, TEXT_PADDING } from './timeMarks';

/** 1 CSS pixel is 10 ns. */
const scale = new Timescale({ start: ns(10_000), end: ns(20_000) }, devPx(2000), 2);
const measure = (text: string): number => text.length * 6;
const place = (a: number | null, b: number | null, isNs = true) =>
  placeTimeMarks({ a: a === null ? null : ns(a), b: b === null ? null : ns(b) }, scale, isNs, measure);

describe('the time at the pointer', () => {
  const room = { from: -64, to: 1000 };
  const { marks } = place(12_000, 16_000);

  it('is centred on it, as far as there is room', () => {
    expect([5, 400, 990].map((x) => besideTags(x, 80, marks, room))).toEqual([-35, 360, 920]);
    expect(besideTags(-60, 80, [], room)).toBe(-64);
  });

  it('covers no letter of a mark', () => {
    for (let x = 0; x <= 1000; x++) {
      const left = besideTags(x, 80, marks, room);
      for (const mark of marks) expect(left >= mark.left + TAG_WIDTH || left + 80 <= mark.left).toBe(true);
      expect(left).toBeGreaterThanOrEqual(room.from);
      expect(left + 80).toBeLessThanOrEqual(room.to);
      expect(Math.abs(left + 40 - x)).toBeLessThan(120);
    }
  });
});

describe('the marks A and B above the axis', () => {
  it('hang in the middle of their line, alone', () => {
    expect(place(12_000, null)).toEqual({
      marks: [{ name: 'a', x: 200, left: 200 - TAG_WIDTH / 2 }],
      distance: null,
    });
    expect(place(9_000, null).marks).toEqual([]);
  });

  it('hang back to back, and their distance is between them', () => {
    const { marks, distance } = place(12_000, 16_000);
    expect(marks).toEqual([
      { name: 'a', x: 200, left: 200 - TAG_WIDTH },
      { name: 'b', x: 600, left: 600 },
    ]);
    const width = '4.000 µs'.length * 6 + 2 * TEXT_PADDING;
    expect(distance).toEqual({ text: '4.000 µs', from: 200, to: 600, left: 400 - width / 2 });
  });

  it('change sides when B is the earlier', () => {
    expect(place(16_000, 12_000).marks.map(({ name, left }) => [name, left])).toEqual([
      ['b', 200 - TAG_WIDTH],
      ['a', 600],
    ]);
  });

  it('say a distance that does not fit between them beside them', () => {
    expect(place(12_000, 12_050).distance?.left).toBeGreaterThanOrEqual(205 + TAG_WIDTH);
    const atEnd = place(19_900, 19_950).distance;
    const width = '50 ns'.length * 6 + 2 * TEXT_PADDING;
    expect((atEnd?.left ?? 0) + width).toBeLessThanOrEqual(990 - TAG_WIDTH);
  });

  it('keep their distance in sight while anything between them is', () => {
    const { marks, distance } = place(0, 30_000);
    expect(marks).toEqual([]);
    expect(distance).toMatchObject({ text: '30.000 µs', from: 0, to: 1000 });
    expect(place(0, 15_000).distance).toMatchObject({ from: 0, to: 500 });
    expect(place(0, 9_000).distance).toBeNull();
    expect(place(21_000, 30_000).distance).toBeNull();
  });

  it('count ticks where the clock does', () => {
    expect(place(12_000, 16_000, false).distance?.text).toBe('4,000 ticks');
    expect(place(12_000, 12_001, false).distance?.text).toBe('1 tick');
  });
});
