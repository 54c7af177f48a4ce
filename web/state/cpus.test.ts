import { expect, test } from 'vitest';
import { chosenCpus } from './cpus';

test('chosen CPUs keep the order of the lanes; CPUs that are not there are left out', () => {
  expect(chosenCpus([1, 3, 9], [3, 2, 1, 0])).toEqual([3, 1]);
});

test('no choice, or one of CPUs that the trace has not, shows all', () => {
  const all = [0, 1, 2];
  expect(chosenCpus([], all)).toBe(all);
  expect(chosenCpus([7], all)).toBe(all);
});
