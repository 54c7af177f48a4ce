import { describe, expect, it } from 'vitest';
import {
  clampOffset,
  elementHeight,
  lastOffset,
  offsetOf,
  offsetToShow,
  type RowGeometry,
  rowAfterKey,
  scrolled,
  scrollTopOf,
  visibleRows,
} from './rowScroll';

const few: RowGeometry = { rows: 1000, rowHeight: 20, viewport: 210 };
const many: RowGeometry = { rows: 30_000_000, rowHeight: 20, viewport: 210 };

describe('few rows', () => {
  it('scroll as the browser does', () => {
    expect(elementHeight(few)).toBe(20_000);
    for (const top of [0, 1, 777, 19_790]) {
      expect(offsetOf(few, top)).toBe(top);
      expect(scrollTopOf(few, top)).toBe(top);
      expect(scrolled(few, { offset: 5, scrollTop: 5 }, top)).toEqual({ offset: top, scrollTop: top });
    }
  });

  it('that all fit do not scroll', () => {
    const three = { ...few, rows: 3 };
    expect(lastOffset(three)).toBe(0);
    expect(offsetOf(three, 100)).toBe(0);
    expect(visibleRows(three, 0)).toEqual({ first: 0, end: 3 });
    expect(visibleRows({ ...few, rows: 0 }, 0)).toEqual({ first: 0, end: 0 });
  });
});

describe('many rows', () => {
  it('fit into an element that browsers can have', () => {
    expect(elementHeight(many)).toBeLessThan(16_000_000);
  });

  it('are all reached, the first and the last exactly', () => {
    const bottom = elementHeight(many) - many.viewport;
    expect(offsetOf(many, 0)).toBe(0);
    expect(offsetOf(many, bottom)).toBe(30_000_000 * 20 - 210);
    expect(visibleRows(many, offsetOf(many, bottom)).end).toBe(30_000_000);
    expect(offsetOf(many, bottom / 2) / lastOffset(many)).toBeCloseTo(0.5, 6);
  });

  it('have one place on the scroll bar each, there and back', () => {
    let last = -1;
    for (let share = 0; share <= 1; share += 1 / 512) {
      const offset = Math.round(share * lastOffset(many));
      const top = scrollTopOf(many, offset);
      expect(top).toBeGreaterThan(last);
      expect(offsetOf(many, top)).toBeCloseTo(offset, 4);
      last = top;
    }
  });

  it('move by the pixels of a wheel wherever they are', () => {
    for (const offset of [0, 150_000, 1e6, 3e8, lastOffset(many) - 1000]) {
      const before = { offset, scrollTop: scrollTopOf(many, offset) };
      const after = scrolled(many, before, before.scrollTop + 120);
      expect(after.offset - offset).toBeCloseTo(120, 4);
      expect(scrolled(many, after, before.scrollTop).offset).toBeCloseTo(offset, 4);
    }
  });

  it('are reached to the very first by a wheel, notch by notch', () => {
    let position = { offset: 3000, scrollTop: scrollTopOf(many, 3000) };
    for (let notch = 0; notch < 25; notch += 1) {
      position = scrolled(many, position, Math.max(0, position.scrollTop - 120));
    }
    expect(position).toEqual({ offset: 0, scrollTop: 0 });
  });

  it('jump with the scroll bar', () => {
    const jumped = scrolled(many, { offset: 0, scrollTop: 0 }, 4_000_000);
    expect(jumped.offset).toBeCloseTo(offsetOf(many, 4_000_000));
    expect(jumped.offset).toBeGreaterThan(250_000_000);
  });
});

it('brings a row into sight by the shortest way', () => {
  expect(offsetToShow(few, 400, 25)).toBe(400);
  expect(offsetToShow(few, 400, 3)).toBe(60);
  expect(offsetToShow(few, 0, 10)).toBe(10);
  expect(offsetToShow(few, 0, 999)).toBe(20_000 - 210);
  expect(offsetToShow(many, 0, 29_999_999)).toBe(600_000_000 - 210);
  expect(clampOffset(few, -5)).toBe(0);
});

it.each([
  ['ArrowDown', 5, 6],
  ['ArrowUp', 5, 4],
  ['ArrowUp', 0, 0],
  ['ArrowDown', 99, 99],
  ['ArrowDown', null, 40],
  ['ArrowUp', null, 40],
  ['PageDown', null, 50],
  ['PageDown', 5, 15],
  ['PageDown', 95, 99],
  ['PageUp', 5, 0],
  ['Home', 50, 0],
  ['End', null, 99],
  ['x', 5, null],
])('%s leads from %j to %j', (key, row, target) => {
  expect(rowAfterKey(key, row, 100, 10, 40)).toBe(target);
});

it('has nowhere to go without rows', () => {
  expect(rowAfterKey('End', null, 0, 10, 0)).toBeNull();
});
