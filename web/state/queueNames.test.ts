import { expect, test } from 'vitest';
import { queueName } from './queueNames';

test.each([
  ['0', 'DSQ 0'],
  ['3', 'DSQ 3'],
  [`${2n ** 62n}`, `DSQ ${2n ** 62n}`],
  [`${2n ** 63n + 1n}`, 'global'],
  [`${2n ** 63n + 2n}`, 'local'],
  [`${2n ** 63n + 7n}`, 'built-in 7'],
  [`${2n ** 63n + 2n ** 62n + 5n}`, 'local 5'],
])('%s is %s', (id, name) => {
  expect(queueName(id)).toBe(name);
});
