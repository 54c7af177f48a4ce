import { expect, test } from 'vitest';
import { isOlder } from './versions.mjs';

test.each([
  ['20.18.3', '20.19', true],
  ['20.19.0', '20.19', false],
  ['20.19', '20.19.1', true],
  ['22.0.0', '20.19', false],
  ['1.9', '1.85', true],
  ['1.100', '1.85', false],
])('%s is older than %s: %s', (found, needed, older) => {
  expect(isOlder(found, needed)).toBe(older);
});
