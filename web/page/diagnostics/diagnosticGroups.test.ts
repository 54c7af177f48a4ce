import { expect, test } from 'vitest';
import type { Ns } from '../../base/units';
import type { Cpu, Diagnostic } from '../../engine/protocol';
import { groupDiagnostics, MAX_PLACES } from './diagnosticGroups';

const found = (text: string, cpu: number | null, at: number | null, count = 1, more: number[] = []): Diagnostic => ({
  kind: 'contradiction',
  cpu: cpu as Cpu | null,
  at_ns: at as Ns | null,
  count,
  more_ns: more as Ns[],
  text,
});

test('what is the same on several CPUs is one group, with its places in time order', () => {
  const groups = groupDiagnostics([
    found('a task is here and there; both stay', 3, 40, 3, [50]),
    found('something else', null, null),
    found('a task is here and there; both stay', 1, 45),
  ]);
  expect(groups).toEqual([
    {
      claim: 'a task is here and there',
      policy: 'both stay',
      count: 4,
      cpus: [1, 3],
      places: [
        { cpu: 3, at: 40 },
        { cpu: 1, at: 45 },
        { cpu: 3, at: 50 },
      ],
    },
    { claim: 'something else', policy: null, count: 1, cpus: [], places: [] },
  ]);
});

test('of very many places the first are listed', () => {
  const many = Array.from({ length: 200 }, (_, cpu) => found('x; y', cpu, 1000 - cpu));
  const [group] = groupDiagnostics(many);
  expect(group?.count).toBe(200);
  expect(group?.places.map(({ at }) => at)).toEqual(Array.from({ length: MAX_PLACES }, (_, index) => 801 + index));
});
