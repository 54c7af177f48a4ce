import { expect, test } from 'vitest';
import type { CallRow, ComparedThread, StaktauText } from '../../engine/protocol';
import { aloneRows, comparedRows, damageLines, difference, leftOut, textTimes } from './compared';

const threads: ComparedThread[] = [
  {
    pid: 7,
    application_ns: { trace: 90, text: 100 },
    calls: [
      { call: 'read', ns: { trace: 5, text: 8 } },
      { call: 'futex', ns: { trace: 4, text: null } },
    ],
  },
  { pid: 8, application_ns: { trace: null, text: 3 }, calls: [{ call: 'read', ns: { trace: null, text: 2 } }] },
];

test('a thread comes before its calls', () => {
  expect(comparedRows(threads).map(({ pid, call }) => `${pid} ${call}`)).toEqual([
    '7 null',
    '7 read',
    '7 futex',
    '8 null',
    '8 read',
  ]);
  expect(comparedRows(threads).map(difference)).toEqual([10, 3, null, null, null]);
});

test('rows of the table have what the text has of them', () => {
  const of = textTimes(threads);
  const row = (call: string, whose: object) => ({ call, ...whose }) as unknown as CallRow;
  expect(of(row('read', {}))).toBe(10);
  expect(of(row('futex', {}))).toBeNull();
  expect(of(row('read', { pid: 8, generation: 0 }))).toBe(2);
  expect(of(row('read', { pid: 8, generation: 1 }))).toBeNull();
  expect(of(row('read', { comm: 'cat' }))).toBeNull();
});

const text: StaktauText = {
  layout: 'raw',
  threads: [{ tid: 3, application_ns: 9, calls: [{ name: 'mmap2', ns: 4 }] }],
  records: 4,
  repeated: 2,
  unmatched_exits: 0,
  left_open: 1,
  damaged: 3,
  damage: [
    { line: 5, reason: 'no number' },
    { line: 1200, reason: 'too long' },
  ],
};

test('a text alone has the names that it has, and says what is not in its sums', () => {
  expect(aloneRows(text)).toEqual([
    { pid: 3, call: null, trace: null, text: 9 },
    { pid: 3, call: 'mmap2', trace: null, text: 4 },
  ]);
  expect(leftOut(text)).toBe('2 repeated records, 1 call that did not return, 3 lines that could not be read');
  expect(damageLines(text, 1)).toEqual(['line 5: no number', '2 more']);
  expect(damageLines({ ...text, damaged: 2 }, 5)).toEqual(['line 5: no number', 'line 1,200: too long']);
});
