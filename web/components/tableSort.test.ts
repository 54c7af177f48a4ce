import { expect, it } from 'vitest';
import { nextSort, sorted } from './tableSort';

const rows = [
  { name: 'b', count: 2 },
  { name: 'a', count: 10 },
  { name: 'c', count: 2 },
];

it('sorts numbers by value and texts by code unit', () => {
  expect(sorted(rows, (row) => row.count, true).map((row) => row.name)).toEqual(['a', 'b', 'c']);
  expect(sorted(rows, (row) => row.name, false).map((row) => row.name)).toEqual(['a', 'b', 'c']);
  expect(sorted([{ name: 'b' }, { name: 'Z' }], (row) => row.name, false)[0]?.name).toBe('Z');
});

it('turns round on a second click, and starts with the greatest number', () => {
  const byCount = nextSort({ column: 'name', descending: false }, 'count', true);
  expect(byCount).toEqual({ column: 'count', descending: true });
  expect(nextSort(byCount, 'count', true).descending).toBe(false);
  expect(nextSort(byCount, 'name', false)).toEqual({ column: 'name', descending: false });
});
