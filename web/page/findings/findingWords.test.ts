import { describe, expect, it } from 'vitest';
import { ns } from '../../base/units';
import type { Finding } from '../../engine/protocol';
import { commandsOf, findingInWords } from './findingWords';

const clock = { baseNs: 0n, isNs: true };
const ua = { pid: 4711, generation: 0, comm: 'ua.C.x' };
const worker = { pid: 33, generation: 0, comm: 'kworker/3:1' };

const finding = (change: Partial<Finding>): Finding => ({
  kind: 'wait',
  cost_ns: 7_000_000,
  start_ns: ns(1_000_000),
  end_ns: ns(8_200_000),
  cpu: 12,
  cpus: [],
  count: 1,
  comm: 'ua.C.x',
  tasks: [ua, worker],
  run: { cpu: 12, start_ns: ns(8_200_000) },
  folded: 0,
  uncertain: false,
  ...change,
});

const preemption: Partial<Finding> = {
  kind: 'kernel_preemption',
  comm: 'kworker/3:1',
  tasks: [worker, ua],
  count: 5,
  cpu: 3,
};

describe('findings in words', () => {
  it.each<[Partial<Finding>, string]>([
    [{}, 'ua.C.x 4711 waited 7.200 ms for CPU 12, behind kworker/3:1 33, while other CPUs were idle'],
    [{ tasks: [ua] }, 'ua.C.x 4711 waited 7.200 ms for CPU 12, while other CPUs were idle'],
    [
      { kind: 'overload', count: 3, cpus: [7, 3, 6, 5] },
      'ua.C.x 4711 and 2 others queued behind other tasks while one or more of CPUs 3,5-7 were idle, for 7.200 ms',
    ],
    [{ kind: 'overload', cpus: [3] }, 'ua.C.x 4711 queued behind other tasks while CPU 3 was idle, for 7.200 ms'],
    [
      { kind: 'overload', cpus: Array.from({ length: 40 }, (_, cpu) => 2 * cpu) },
      'ua.C.x 4711 queued behind other tasks while CPUs were idle, for 7.200 ms',
    ],
    [
      { kind: 'gap', tasks: [], cpu: null, run: null, slept_ns: 0 },
      'ua.C.x, busy otherwise, almost stopped for 7.200 ms while its tasks waited',
    ],
    [
      { kind: 'gap', tasks: [], cpu: null, run: null, slept_ns: 500_000 },
      'ua.C.x, busy otherwise, almost stopped for 7.200 ms while its tasks waited; they slept for 500.0 µs more of what is missing',
    ],
    [{ kind: 'moved_off_idle', cpus: [3, 9] }, 'A wakeup moved ua.C.x 4711 off its idle CPU 3 to CPU 9'],
    [{ kind: 'cascade', count: 4, cpus: [0, 96, 99, 100, 111] }, 'Cascade of 4 moves, 0→96→99→100→111'],
    [
      { kind: 'cascade', count: 11, cpus: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
      'Cascade of 11 moves, 0→1→2→3→4→5→6→7→…→11',
    ],
    [{ kind: 'cascade', count: 7, cpus: [1, 3, 0] }, 'Cascade of 7 moves, at its longest 1→3→0'],
    [{ kind: 'latency' }, 'ua.C.x 4711 got CPU 12 7.200 ms after its wakeup'],
    [
      { ...preemption, preempted: { involuntary: 0, end_state: 'R' } },
      'kworker/3:1 ran next after runnable tasks 5 times; longest after ua.C.x 4711 on CPU 3, for 7.200 ms',
    ],
    [
      { ...preemption, preempted: { involuntary: 2, end_state: 'R+' } },
      'kworker/3:1 ran next after runnable tasks 5 times, preempting 2 of them; longest from ua.C.x 4711 on CPU 3, for 7.200 ms',
    ],
    [
      { ...preemption, preempted: { involuntary: 5, end_state: 'R+' } },
      'kworker/3:1 preempted others 5 times; longest ua.C.x 4711 on CPU 3, for 7.200 ms',
    ],
  ])('%j', (change, words) => {
    expect(findingInWords(finding(change), clock)).toBe(words);
  });

  it('are about a command as a whole where no single task is meant', () => {
    expect(commandsOf(finding({ kind: 'gap' }))).toEqual(['ua.C.x']);
    expect(commandsOf(finding({ kind: 'preemption' }))).toEqual(['ua.C.x']);
    const worker3 = finding({ kind: 'kernel_preemption', comm: 'kworker', tasks: [worker, ua] });
    expect(commandsOf(worker3)).toEqual(['kworker/3:1']);
    expect(commandsOf(finding({ kind: 'overload' }))).toEqual([]);
  });
});
