import { expect, test } from 'vitest';
import { MOST_RECENT, type RecentTrace, withRecent } from './recentTraces';

const trace = (name: string, more: Partial<RecentTrace> = {}): RecentTrace => ({
  fingerprint: name,
  name,
  size: 1,
  opened: 0,
  query: null,
  ...more,
});

test('the list has each trace once, the latest first, and so many', () => {
  const names = Array.from({ length: 2 * MOST_RECENT }, (_, index) => `${index}`);
  const list = [...names, '13'].reduce<readonly RecentTrace[]>((before, name) => withRecent(before, trace(name)), []);
  expect(list.map(({ name }) => name)).toEqual(['13', '19', '18', '17', '16', '15', '14', '12', '11', '10']);
});

test('a handle stays when the same file is chosen without one', () => {
  const handle = {} as FileSystemFileHandle;
  const list = withRecent([trace('a', { handle })], trace('a', { opened: 5 }));
  expect(list).toEqual([trace('a', { handle, opened: 5 })]);
  expect(withRecent([trace('a', { handle })], trace('a', { name: 'moved' }))[0]?.handle).toBeUndefined();
});
