import { describe, expect, it } from 'vitest';
import { completed, completionsAt } from './filterCompletion';

const fields = [
  { name: 'comm', events: 0 },
  { name: 'next_comm', events: 1 },
  { name: 'next_pid', events: 1 },
  { name: 'prio', events: 3 },
];
const events = [{ name: 'sched_switch', system: 'sched', count: 5 }];

describe('completion', () => {
  it('offers fields that hold what was typed, those that begin with it first', () => {
    const { start, end, options } = completionsAt('next_pid == 1 && comm', 21, fields, events);
    expect([start, end]).toEqual([17, 21]);
    expect(options).toEqual([
      { text: 'comm', note: 'every event' },
      { text: 'next_comm', note: '1 event' },
    ]);
  });

  it('offers events at the beginning only', () => {
    expect(completionsAt('sw', 2, fields, events).options).toEqual([{ text: 'sched/sched_switch:', note: 'event' }]);
    expect(completionsAt('prio < 1 && sw', 14, fields, events).options).toEqual([]);
  });

  it('replaces the word under the caret', () => {
    const found = completionsAt('next_c == x', 5, fields, events);
    expect(completed('next_c == x', found, { text: 'next_comm', note: '' })).toEqual({
      text: 'next_comm == x',
      caret: 10,
    });
  });
});
