import { expect, test } from 'vitest';
import { alignedText, type CopiedColumn, csvText } from './tableText';

interface Row {
  readonly name: string;
  readonly ns: number;
}

const columns: readonly CopiedColumn<Row>[] = [
  { text: 'Command', copy: { text: ({ name }) => name, name: 'comm', value: ({ name }) => name } },
  { text: '' },
  {
    text: 'Execution',
    numeric: true,
    copy: { text: ({ ns }) => `${ns / 1e6} ms`, name: 'execution_ns', value: (row) => row.ns },
  },
];
const rows: readonly Row[] = [
  { name: 'kworker/0:1', ns: 1_234_567 },
  { name: 'ünï', ns: 5e9 },
];

test('text is aligned: names to the left, numbers to the right', () => {
  expect(alignedText(columns, rows)).toBe(
    ['Command        Execution', 'kworker/0:1  1.234567 ms', 'ünï              5000 ms', ''].join('\n'),
  );
});

test('a last column to the left has no spaces at its end', () => {
  expect(alignedText([...columns].reverse(), rows)).toBe(
    ['  Execution  Command', '1.234567 ms  kworker/0:1', '    5000 ms  ünï', ''].join('\n'),
  );
});

test('CSV has the exact values, and quotes what must be', () => {
  expect(csvText(columns, [...rows, { name: 'a,"b"', ns: 0 }, { name: 'new\nline', ns: 1 }])).toBe(
    ['comm,execution_ns', 'kworker/0:1,1234567', 'ünï,5000000000', '"a,""b""",0', '"new\nline",1', ''].join('\n'),
  );
});

test('a table without rows is its heads', () => {
  expect(alignedText(columns, [])).toBe('Command  Execution\n');
  expect(csvText(columns, [])).toBe('comm,execution_ns\n');
});
