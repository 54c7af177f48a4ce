import { expect, test } from 'vitest';
import { ns } from '../../base/units';
import type { CommandRow, WaitInfo, WindowStats } from '../../engine/protocol';
import { rangeText } from './rangeText';

function textOf(lines: string): string {
  const wait: WaitInfo = {
    ...{
      pid: 11,
      generation: 0,
      comm: 'b',
      since_ns: ns(1000),
      until_ns: ns(4000),
      wait_ns: 3000,
      cause: 'wakeup',
      cpu: 1,
    },
    ...{ queues: [], took: [{ pid: 10, generation: 0, comm: 'a', ran_ns: 2500, run: { cpu: 1, start_ns: ns(0) } }] },
    ...{
      took_total: 3,
      own_idle_ns: 0,
      bound: false,
      behind_ns: 1500,
      unknown_ns: 0,
      any_idle_ns: 0,
      uncertain: false,
    },
  };
  const command = { comm: 'a', execution_ns: 2500, waiting_ns: 0, switches_to: 2 } as CommandRow;
  const stats = {
    running: { mean: 1.5, max: 2 },
    waiting: { mean: 0.25, max: 1 },
    utilisation: 0.75,
    behind_ns: 1500,
    behind_cost_task_ns: 2000,
  } as WindowStats;
  return rangeText({
    summary: { name: 'x.dat', clock: 'local', uname: null, cpus: [0, 1] },
    clock: { baseNs: 0n, isNs: true },
    origin: ns(0),
    window: { start: ns(0), end: ns(5000) },
    stats,
    commands: [command],
    waits: [wait],
    lines,
  });
}

test('a range is a text that can be mailed', () => {
  const text = textOf('one\ntwo\n');
  expect(text.split('\n')).toEqual([
    '# x.dat, clock local',
    '# 0.000000000 s to 0.000005000 s: 5.000 µs of 2 CPUs',
    '',
    'running 1.50 on average, at most 2; waiting 0.25 on average, at most 1; utilisation 75 %',
    'for 1.500 µs tasks queued behind others while CPUs were idle, 2.000 µs of task time lost',
    '',
    'command                     ran       waited  switches to',
    'a                      2.500 µs         0 ns            2',
    '',
    'Longest waits:',
    'b 11 waited 3.000 µs from 0.000001000 s, woken, then ran on CPU 1; the CPU had a 10 (2.500 µs) and 2 more; for 1.500 µs some CPU was spare',
    '',
    'The events of the longest wait, as trace-cmd report prints them:',
    '',
    'one',
    'two',
    '',
  ]);
});

test('that not all events are there is said', () => {
  expect(textOf('x\n'.repeat(59))).toContain('\nThe events of the longest wait, as');
  expect(textOf('x\n'.repeat(60))).toContain('\nThe first 60 events of the longest wait, as');
  expect(textOf('')).not.toContain('events of the longest wait');
});
