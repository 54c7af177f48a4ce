import { expect, test } from 'vitest';
import { fitting } from './tableColumns';

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
