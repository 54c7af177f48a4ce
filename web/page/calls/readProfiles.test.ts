import { expect, test } from 'vitest';
import type { StaktauText } from '../../engine/protocol';
import { readProfiles } from './readProfiles';

const text = { layout: 'tables', threads: [] } as unknown as StaktauText;
const file = (name: string, content: string): File => new File([content], name);

test('texts are taken out of files, and what cannot be read is told', async () => {
  const asked: string[] = [];
  const read = async ({ name }: File) => {
    asked.push(name);
    return {
      text: name === 'text' ? text : null,
      error: name === 'gone' ? { kind: 'io' as const, what: 'it was deleted', where: null, advice: '' } : null,
    };
  };
  const files = [
    file('a.dat', '\x17\bDtracing'),
    file('text', '----- TID 7 -----\n'),
    file('gone', '0 read(3) [7] 12\n'),
    file('notes', '1 x(\n'),
  ];
  const { profile, others, problems } = await readProfiles(files, read);
  expect(profile).toEqual({ name: 'text', text });
  expect(others.map(({ name }) => name)).toEqual(['a.dat', 'notes']);
  expect(problems).toEqual(['gone could not be read: it was deleted']);
  // Only files that begin as such texts do are looked at.
  expect(asked).toEqual(['text', 'gone', 'notes']);
});
