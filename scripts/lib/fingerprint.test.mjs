import { expect, test } from 'vitest';
import { fingerprint } from './fingerprint.mjs';
import { stubMachine } from './stubMachine.mjs';

test('changes with contents and names, and only with those of the inputs', () => {
  const { root, addFile } = stubMachine({});
  const now = () => fingerprint(root, ['src', 'lock', 'missing']);
  addFile('src/deep/a', 'one');
  addFile('lock', 'two');
  const first = now();
  addFile('src/deep/a', 'one');
  addFile('elsewhere', 'three');
  expect(now()).toBe(first);
  addFile('src/deep/a', 'other');
  expect(now()).not.toBe(first);
  addFile('src/deep/a', 'one');
  addFile('src/b');
  expect(now()).not.toBe(first);
});
