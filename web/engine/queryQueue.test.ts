import { expect, test } from 'vitest';
import { ns } from '../base/units';
import type { TraceQuery } from './protocol';
import { QueryQueue } from './queryQueue';

const pick = (at: number): TraceQuery => ({ type: 'at', kind: 'cpu', key: 0, at: ns(at) });
const view = (forked: boolean): TraceQuery => ({
  type: 'set_view',
  spec: { forked, movable: false, highlight: { kind: 'none' } },
});

/** Pushes `[key, query]` with ids from 1 and returns the ids in the order in which they are taken. */
function order(...asked: [string, TraceQuery][]): number[] {
  const queue = new QueryQueue();
  for (const [index, [key, query]] of asked.entries()) {
    queue.push({ type: 'query', session: 1, id: index + 1, key, query });
  }
  const ids: number[] = [];
  for (let request = queue.take(() => true); request !== undefined; request = queue.take(() => true)) {
    ids.push(request.id);
  }
  return ids;
}

test('the latest of each key, in the order of asking', () => {
  expect(order(['a', pick(1)], ['b', pick(2)], ['a', pick(3)], ['c', pick(4)], ['a', pick(5)])).toEqual([2, 4, 5]);
});

test('a query is not answered before a view that was set before it', () => {
  expect(order(['a', pick(1)], ['view', view(true)], ['a', pick(2)])).toEqual([2, 3]);
});

test('a superseding view keeps the place of the superseded one', () => {
  expect(order(['view', view(true)], ['a', pick(1)], ['view', view(false)])).toEqual([3, 2]);
});

test('what cannot be answered yet waits without holding up the rest', () => {
  const queue = new QueryQueue();
  queue.push({ type: 'query', session: 1, id: 1, key: 'a', query: pick(1) });
  queue.push({ type: 'query', session: 1, id: 2, key: 'b', query: view(true) });
  expect(queue.take(({ type }) => type === 'set_view')?.id).toBe(2);
  expect(queue.take(({ type }) => type === 'set_view')).toBeUndefined();
  expect(queue.size).toBe(1);
  expect(queue.take(() => true)?.id).toBe(1);
});

test('what is not answered yet comes back after the rest, and gives way to a later one with its key', () => {
  const queue = new QueryQueue();
  const request = (id: number, key: string) => ({ type: 'query', session: 1, id, key, query: pick(id) }) as const;
  queue.push(request(1, 'a'));
  queue.push(request(2, 'b'));
  const first = queue.take(() => true);
  if (first) queue.putBack(first);
  expect(queue.take(() => true)?.id).toBe(2);
  const again = queue.take(() => true);
  expect(again?.id).toBe(1);
  queue.push(request(3, 'a'));
  if (again) queue.putBack(again);
  expect(queue.take(() => true)?.id).toBe(3);
  expect(queue.size).toBe(0);
});
