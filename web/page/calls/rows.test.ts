import { expect, test } from 'vitest';
import type { CallRow } from '../../engine/protocol';
import { argumentsText, named, rowId, splitInWords } from './rows';

const row = (call: string, whose: object): CallRow => ({ call, nr: 202, ...whose }) as unknown as CallRow;

test('rows are named by their call and by whose it is', () => {
  expect(rowId(row('futex', {}))).toBe('futex');
  expect(rowId(row('futex', { comm: 'a b' }))).toBe('futex a b');
  expect(rowId(row('futex', { pid: 7, generation: 0 }))).toBe('futex 7');
  expect(rowId(row('futex', { pid: 7, generation: 2 }))).toBe('futex 7.2');
  expect(rowId(row('futex', { process: null }))).toBe('futex unknown');
});

test('rows are listed by beginnings of names', () => {
  const rows = [row('read', {}), row('readv', {}), row('futex', {})];
  expect(named(rows, '')).toBe(rows);
  expect(named(rows, ' , ')).toBe(rows);
  expect(named(rows, 'readv, fu').map(({ call }) => call)).toEqual(['readv', 'futex']);
});

test('arguments are told with their names, where formats have them', () => {
  expect(
    argumentsText([
      { name: 'fd', value: '3' },
      { name: 'buf', value: '0x7f00' },
    ]),
  ).toBe('fd: 3, buf: 0x7f00');
  expect(argumentsText([{ name: null, value: '0x1' }])).toBe('0x1');
  expect(argumentsText([])).toBe('nothing');
});

test('a split says which parts there are', () => {
  const split = {
    oncpu_ns: 1,
    runnable_ns: 0,
    sleeping_ns: 3,
    blocked_ns: 0,
    stopped_ns: 0,
    unknown_ns: 0,
    irq_ns: null,
  };
  const percent = (share: number) => `${share * 100} %`;
  expect(splitInWords(split, 4, false, percent)).toBe('on CPU 25 %, sleeping 75 %');
  const net = { ...split, oncpu_ns: 1, irq_ns: 2, sleeping_ns: 1 };
  expect(splitInWords(net, 4, true, percent)).toBe('on CPU 25 %, interrupts 50 %, sleeping 25 %');
  expect(splitInWords(net, 4, false, percent)).toBe('on CPU 25 %, sleeping 25 %');
});
