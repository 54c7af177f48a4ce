import { expect, test } from 'vitest';
import { ns } from '../base/units';
import type { Query } from './protocol';
import type { TrackKind } from './protocolTracks';
import { changesAnswers, isFiltered, moduleOf, rankOf, setsOf } from './questions';

const tile = (kind: TrackKind): Query => ({
  type: 'tile',
  kind,
  variant: null,
  keys: [],
  level: 0,
  first_bucket: 0,
  buckets: 1,
});

test('the same question goes to the worker that has tracks of its kind', () => {
  expect(moduleOf(tile('cpu'))).toBe('engine');
  expect(moduleOf(tile('cpu_irqs'))).toBe('calls');
  expect(moduleOf(tile('hits'))).toBe('events');
  expect(moduleOf({ type: 'at', kind: 'calls', key: 1, at: ns(0) })).toBe('calls');
  expect(moduleOf({ type: 'step', kind: 'task', key: 1, at: ns(0), direction: 1 })).toBe('engine');
  expect(moduleOf({ type: 'call_facts' })).toBe('calls');
});

test('setters come first, then lanes, then the rest, and last what needs long or is not waited for', () => {
  const order = [
    rankOf({ type: 'set_view' }, true),
    rankOf(tile('cpu'), true),
    rankOf(tile('curve'), true),
    rankOf({ type: 'chain' }, true),
    rankOf(tile('conservation'), true),
    rankOf({ type: 'stats' }, true),
    rankOf(tile('cpu'), false),
  ];
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(new Set(order).size).toBe(order.length);
  // What workers ask each other has no row.
  expect(rankOf({ type: 'calls_stored' }, true)).toBe(rankOf({ type: 'chain' }, true));
  expect(setsOf({ type: 'calls_stored' })).toBeNull();
});

test('a topology that is refused changes no answer', () => {
  const error = { kind: 'topology', what: 'no', where: null, advice: '' } as const;
  expect(changesAnswers({ type: 'set_topology', error } as never)).toBe(false);
  expect(changesAnswers({ type: 'set_topology', error: null } as never)).toBe(true);
  expect(changesAnswers({ type: 'filter_runs', runs: 3 } as never)).toBe(true);
  expect(changesAnswers({ type: 'set_view' } as never)).toBe(false);
});

test('the words of the filter go with tables of calls, and with no lane', () => {
  expect(isFiltered({ type: 'wakes' } as never)).toBe(true);
  expect(isFiltered({ type: 'call_table' } as never)).toBe(true);
  expect(isFiltered({ type: 'call_facts' })).toBe(false);
  expect(isFiltered(tile('calls'))).toBe(false);
});
