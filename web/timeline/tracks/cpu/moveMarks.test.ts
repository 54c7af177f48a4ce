import { expect, test } from 'vitest';
import { ns } from '../../../base/units';
import type { CpuDistance, CpuMove } from '../../../engine/protocol';
import { moveMarks } from './moveMarks';

const move = (cpu: number, at: number, distance: CpuDistance | null): CpuMove =>
  ({ cpu, at: ns(at), distance }) as CpuMove;
const marks = (...moves: readonly CpuMove[]) =>
  moveMarks(moves, ({ at }) => at, 100, 10).map(({ cpu, x, distance, count }) => `${cpu}@${x} ${distance} ${count}`);

test('moves of a CPU that would overlap are one mark, at the farthest', () => {
  expect(marks(move(0, 11, 'llc'), move(0, 13, 'machine'), move(0, 15, 'core'), move(1, 12, 'llc'))).toEqual([
    '1@12 llc 1',
    '0@13 machine 3',
  ]);
});

test('marks from far away come last, and those out of sight are left out', () => {
  expect(marks(move(0, 5, 'machine'), move(0, 50, 'core'), move(0, 101, 'llc'), move(0, -1, 'llc'))).toEqual([
    '0@50 core 1',
    '0@5 machine 1',
  ]);
});

test('a move over an unknown distance has no mark', () => {
  expect(marks(move(0, 5, null))).toEqual([]);
});
