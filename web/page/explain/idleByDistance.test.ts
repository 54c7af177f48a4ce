import { expect, it } from 'vitest';
import type { Topology, TopologyCpu } from '../../engine/protocol';
import { idleByDistance } from './idleByDistance';

/** Two sockets with two LLCs each, and in each LLC one core with two threads; CPU 8 is not part of the machine. */
const cpus: TopologyCpu[] = Array.from({ length: 8 }, (_, cpu) => ({
  cpu,
  socket: cpu >> 2,
  node: cpu >> 2,
  llc: cpu >> 1,
  core: cpu >> 1,
}));
const topology = { cpus } as unknown as Topology;

it('lists idle CPUs from the nearest to the farthest', () => {
  const found = idleByDistance([0, 1, 2, 3, 5, 8], 1, topology);
  expect(found.map(({ text, cpus: at }) => [text, at])).toEqual([
    ['its last CPU', [1]],
    ['the same core', [0]],
    ['the same socket', [2, 3]],
    ['another socket', [5]],
    ['not known', [8]],
  ]);
});

it('leaves out distances at which none idles', () => {
  expect(idleByDistance([6], 1, topology)).toEqual([{ text: 'another socket', cpus: [6] }]);
  expect(idleByDistance([], 1, topology)).toEqual([]);
});
