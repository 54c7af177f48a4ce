import { expect, test } from 'vitest';
import { ns } from '../../base/units';
import type { Damage } from '../../engine/protocol';
import { damageInWords } from './damageWords';

const clock = { isNs: true, baseNs: 0n };
const whole: Damage = { cut: true, unknown_share: 0.5, cpus: [3, 4, 5], without_data: [], ends: [] };
const end = (cpu: number, at_ns: number) => ({ cpu, at_ns: ns(at_ns) });

test.each<[Partial<Damage>, string]>([
  [
    { without_data: [4, 5], ends: [end(3, 2_507_400_000)] },
    'The file is cut off: CPUs 4-5 have no data, CPU 3 ends at 2.507 s.',
  ],
  [{ without_data: [5] }, 'The file is cut off: CPU 5 has no data.'],
  [{}, 'The file is cut off: no CPU is known to lack events.'],
  [
    { ends: [end(0, 4e9), end(1, 3e9), end(2, 5e9), end(5, 6e9)] },
    'The file is cut off: CPUs 0-2,5 end early, the first at 3.000 s.',
  ],
  [{ cut: false, unknown_share: 0.234 }, 'Many events are missing: 23 % of all CPU time is unknown, on CPUs 3-5.'],
])('%j', (damage, words) => {
  expect(damageInWords({ ...whole, ...damage }, clock, ns(0))).toBe(words);
});
