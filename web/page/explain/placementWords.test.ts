import { describe, expect, it } from 'vitest';
import { placementInWords } from './placementWords';

const placed = {
  previous_cpu: 3,
  waker_cpu: 1,
  chosen_cpu: 3,
  cpu: 3,
  idle_cpus: [3, 5],
  previous_was_free: true,
  chosen_was_free: true,
};
type Change = Partial<typeof placed> | { chosen_cpu: null } | { previous_cpu: null } | { previous_was_free: null };
const inWords = (change: Change) => {
  const all = { ...placed, ...change };
  return placementInWords(all, all);
};
const texts = (change: Change): string[] => inWords(change).map(({ text }) => text);
const odd = (change: Partial<typeof placed>): string[] =>
  inWords(change)
    .filter(({ isOdd }) => isOdd)
    .map(({ text }) => text);

const elsewhere = { chosen_cpu: 5, cpu: 5 };

describe('a placement in words', () => {
  it('says where the wakee was put', () => {
    expect(texts({})).toEqual(['Stayed on its last CPU 3.', 'A remote wakeup: the waker was on CPU 1.']);
    expect(texts({ waker_cpu: 3 })).toEqual(['Stayed on its last CPU 3, which is the waker’s too.']);
    expect(texts({ chosen_cpu: 1, cpu: 1, previous_was_free: false, idle_cpus: [] })).toEqual([
      'Moved from CPU 3 to the waker’s CPU 1.',
    ]);
    expect(texts({ chosen_cpu: null })[0]).toBe('The trace does not say which CPU was chosen.');
    expect(texts({ previous_cpu: null })[0]).toContain('does not say where it last ran');
  });

  it('finds it odd that a free last CPU was left, and names what a trace does not hold', () => {
    const [remark, ...others] = odd({ chosen_cpu: 5, cpu: 5 });
    expect(remark).toContain('Its last CPU 3 was free and yet not chosen.');
    expect(remark).toContain('may have had a reason');
    expect(others).toEqual([]);
    expect(odd({ chosen_cpu: 5, cpu: 5, previous_was_free: false, idle_cpus: [5] })).toEqual([]);
  });

  it('does not take a CPU for free to which another task is on its way', () => {
    const found = inWords({ chosen_cpu: 5, cpu: 5, previous_was_free: false });
    expect(found.some(({ isOdd }) => isOdd)).toBe(false);
    expect(found.map(({ text }) => text)).toContain(
      'Its last CPU 3 was idle, but a task was queued there or on its way there.',
    );
  });

  it('does not call a CPU free of which the trace does not say that', () => {
    const found = inWords({ previous_was_free: null, ...elsewhere });
    expect(found.some(({ isOdd }) => isOdd)).toBe(false);
    expect(found.map(({ text }) => text)).toContain(
      'Its last CPU 3 was idle, but the trace does not say whether a task was queued there.',
    );
  });

  it('finds it odd that a busy CPU was taken while others idled', () => {
    expect(odd({ chosen_was_free: false, idle_cpus: [5] })).toEqual([
      'CPU 3 was not free, although 1 other CPU was idle.',
    ]);
    expect(odd({ chosen_was_free: false, idle_cpus: [] })).toEqual([]);
    expect(odd({ chosen_was_free: false, idle_cpus: [3] })).toEqual([]);
  });

  it('says when it ran elsewhere in the end', () => {
    expect(texts({ cpu: 7 })).toContain('It ran on CPU 7: load balancing took it from CPU 3 while it waited.');
  });
});
