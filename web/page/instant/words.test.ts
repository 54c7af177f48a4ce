import { expect, test } from 'vitest';
import type { InstantChange } from '../../engine/protocol';
import { changeInWords } from './words';

const a = { pid: 10, generation: 0, comm: 'a' };
const b = { pid: 11, generation: 0, comm: 'b' };
const nothing = { cpu: null, from_cpu: null, task: null, other: null, why: null };

test('changes are said in words', () => {
  const changes: InstantChange[] = [
    { ...nothing, kind: 'switch', cpu: 0, task: b, other: a, why: 'R+' },
    { ...nothing, kind: 'switch', cpu: 1, other: a, why: 'S' },
    { ...nothing, kind: 'waking', cpu: 2, task: b, why: 'hardirq' },
    { ...nothing, kind: 'waking', cpu: 2, task: b, other: a, why: 'task' },
    { ...nothing, kind: 'runnable', cpu: 3, task: b, why: 'preempted' },
    { ...nothing, kind: 'migration', cpu: 3, from_cpu: 0, task: b, why: 'load_balance' },
  ];
  expect(changes.map(changeInWords)).toEqual([
    'CPU 0 switches from a 10 (R+) to b 11',
    'CPU 1 switches from a 10 (S) to idle',
    'A hard interrupt on CPU 2 wakes b 11',
    'a 10 on CPU 2 wakes b 11',
    'b 11 begins to wait on CPU 3: it was switched out runnable',
    'b 11 migrates from CPU 0 to CPU 3 (load balance)',
  ]);
});
