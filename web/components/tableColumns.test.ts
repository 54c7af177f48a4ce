import { expect, test } from 'vitest';
import { fitting, widened } from './tableColumns';

const columns = [
  { id: 'name', width: 100 },
  { id: 'switches', width: 60, optional: true },
  { id: 'waiting', width: 50 },
  { id: 'first', width: 40, optional: true },
  { id: 'last', width: 10, optional: true },
];
const shown = (width: number): string =>
  fitting(columns, width)
    .map(({ id }) => id)
    .join(' ');

test('columns that may be left out are, the last first, and none is shown behind one that is missing', () => {
  expect(shown(260)).toBe('name switches waiting first last');
  expect(shown(259)).toBe('name switches waiting first');
  expect(shown(249)).toBe('name switches waiting');
  expect(shown(209)).toBe('name waiting');
  expect(shown(20)).toBe('name waiting');
});

test('columns of numbers are as wide as the longest that was in sight', () => {
  const of = (id: string, numeric: boolean) => ({
    ...{ id, text: id, width: 60, numeric },
    copy: { text: (row: string) => row, name: id, value: (row: string) => row },
  });
  const both = [of('number', true), of('name', false)];
  const widest = new Map<string, number>();
  const widths = (rows: readonly string[]): number[] => widened(both, rows, widest).map(({ width }) => width);
  expect(widths(['1', '12.34 ms'])).toEqual([68, 60]);
  expect(widths(['16.30 G ticks'])).toEqual([103, 60]);
  expect(widths(['1'])).toEqual([103, 60]);
  expect(widened(both, ['1'], new Map()).map(({ width }) => width)).toEqual([60, 60]);
});
