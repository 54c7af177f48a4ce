import { expect, it } from 'vitest';
import { formatCpuList } from './cpuList';

it.each([
  [[], ''],
  [[3], '3'],
  [[1, 4, 5, 6, 7], '1,4-7'],
  [[7, 6, 1, 4, 5, 5], '1,4-7'],
  [[0, 1], '0-1'],
  [[0, 2, 4], '0,2,4'],
])('%j reads %j', (cpus, text) => {
  expect(formatCpuList(cpus)).toBe(text);
});
