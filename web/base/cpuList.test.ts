import { describe, expect, it } from 'vitest';
import { formatCpuList, parseCpuList } from './cpuList';

describe('a list of CPUs', () => {
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

  it.each([
    ['', []],
    [' ', []],
    ['3', [3]],
    ['1,4-7', [1, 4, 5, 6, 7]],
    [' 6 , 4 - 5,5', [4, 5, 6]],
    ['0-0', [0]],
    ['8191', [8191]],
  ])('%j means %j', (text, cpus) => {
    expect(parseCpuList(text)).toEqual(cpus);
  });

  it.each(['1,', ',', '7-4', '-1', '1-', 'a', '1.5', '0x1', '0-8192', '123456', '1 2'])('%j is none', (text) => {
    expect(parseCpuList(text)).toBeNull();
  });
});
