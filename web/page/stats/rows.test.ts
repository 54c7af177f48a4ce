import { expect, test } from 'vitest';
import { ns } from '../../base/units';
import { closed, cpuRows, taskRows } from './rows';

const summary = {
  tasks: {
    pid: Int32Array.of(10, 11, 10),
    comm: Uint32Array.of(1, 0, 0),
    prio: new Int16Array(3),
    forked: new Uint8Array(3),
  },
  comms: ['b', 'a'],
};

test('a task has its names beside its numbers; a PID that came back says which of its tasks it is', () => {
  const rows = taskRows(
    Float64Array.of(0, 0, 25, 3, 1, 1, 5, 5, 1, 0, 0, 0, 9, 2, 1, 7, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0),
    summary,
  );
  expect(rows).toEqual([
    {
      task: 0,
      generation: 0,
      execution_ns: 25,
      waiting_ns: 3,
      switches_to: 1,
      wakeups: 1,
      latency_ns: 5,
      max_latency_ns: 5,
      placement: 1,
      load_balance: 0,
      numa: 0,
      other: 0,
      throttled_ns: 9,
      pid: 10,
      comm: 'a',
      comm_id: 1,
      name: '10',
    },
    expect.objectContaining({ task: 2, pid: 10, comm: 'b', name: '10.1', execution_ns: 7, other: 2 }),
  ]);
});

test('a CPU has the length of the window beside its numbers', () => {
  expect(cpuRows(Float64Array.of(5, 30, 10, 2, 4, 50, 3))).toEqual([
    { cpu: 5, busy_ns: 30, idle_ns: 10, unknown_ns: 2, switches_to: 4, waiting_ns: 50, max_waiting: 3, wall_ns: 42 },
  ]);
});

test('a window to the end of the trace has its very last ns', () => {
  expect(closed({ start: ns(0), end: ns(100) }, 100)).toEqual({ start: 0, end: 101 });
  expect(closed({ start: ns(-3), end: ns(99) }, 100)).toEqual({ start: 0, end: 99 });
  expect(closed({ start: ns(1.4), end: ns(98.6) }, 100)).toEqual({ start: 1, end: 99 });
});
