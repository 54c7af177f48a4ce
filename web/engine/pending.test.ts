import { expect, test } from 'vitest';
import { type Outcome, Pending } from './pending';
import type { Answer } from './protocol';

const ANSWER: Outcome<Answer> = { kind: 'answer', answer: { type: 'set_view' } };

function collect() {
  const pending = new Pending();
  const settled: string[] = [];
  const add = (id: number, key: string) => pending.add(id, key, (outcome) => settled.push(`${id} ${outcome.kind}`));
  return { pending, settled, add };
}

test('an answer supersedes the earlier queries of its key, in order, and no others', () => {
  const { pending, settled, add } = collect();
  add(1, 'cells');
  add(2, 'pick');
  add(3, 'cells');
  add(4, 'cells');
  add(5, 'cells');
  pending.settle(4, ANSWER);
  expect(settled).toEqual(['1 superseded', '3 superseded', '4 answer']);
  expect(pending.size).toBe(2);
});

test('a query that was begun before a later one was asked is still answered', () => {
  const { pending, settled, add } = collect();
  add(1, 'cells');
  add(2, 'cells');
  pending.settle(1, ANSWER);
  pending.settle(2, ANSWER);
  expect(settled).toEqual(['1 answer', '2 answer']);
});

test('answers that nobody waits for are ignored', () => {
  const { pending, settled, add } = collect();
  add(1, 'cells');
  pending.settle(7, ANSWER);
  expect(settled).toEqual([]);
});

test('the end settles everything once', () => {
  const { pending, settled, add } = collect();
  add(1, 'cells');
  add(2, 'pick');
  pending.settleAll({ kind: 'superseded' });
  pending.settleAll({ kind: 'superseded' });
  expect(settled).toEqual(['1 superseded', '2 superseded']);
});
