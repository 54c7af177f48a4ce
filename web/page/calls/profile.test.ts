import { expect, test } from 'vitest';
import type { StaktauText } from '../../engine/protocol';
import { ProfileOwner } from './profile';

const text = { layout: 'tables', threads: [] } as unknown as StaktauText;
const file = (name: string): File => new File([''], name);

test('texts are taken out of files, and what cannot be read is told', async () => {
  const problems: string[] = [];
  const owner = new ProfileOwner(
    (problem) => problems.push(problem),
    async ({ name }) => ({
      text: name === 'text' ? text : null,
      error: name === 'gone' ? { kind: 'io', what: 'it was deleted', where: null, advice: '' } : null,
    }),
  );
  const taking = owner.take([file('a.dat'), file('text'), file('gone')]);
  expect(owner.idle).toBe(false);
  expect((await taking).map(({ name }) => name)).toEqual(['a.dat']);
  expect(owner.idle).toBe(true);
  expect(owner.profile.get()).toEqual({ name: 'text', text });
  expect(problems).toEqual(['gone could not be read: it was deleted']);
  owner.close();
  expect(owner.profile.get()).toBeNull();
});
