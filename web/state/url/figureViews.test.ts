import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { decodeFragment } from './codec';

const lines = readFileSync(new URL('../../../tests/views.txt', import.meta.url), 'utf8').split('\n');
const facts = lines.flatMap((line, i): [string, string][] =>
  line.startsWith('#v=') ? [[line, lines[i + 1] ?? '']] : [],
);

/** Numbers of ns that a double cannot hold become texts. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? part.toString() : part)));

test('the view that a figure holds is read as what the figure shows', () => {
  expect(facts.length).toBeGreaterThan(3);
  for (const [fragment, expected] of facts) {
    const { link, problems } = decodeFragment(fragment);
    expect(problems).toEqual([]);
    expect(plain(link)).toMatchObject(JSON.parse(expected));
  }
});
