import { describe, expect, it } from 'vitest';
import { ns } from '../../base/units';
import type { Chain, Hop } from '../../engine/protocol';
import type { TaskInfo } from '../../engine/protocolTasks';
import { arrowLanes, chainTaskArrows } from './taskArrows';

const hop = (wakee: number, wakerPid: number, woken: number, wakerContext: Hop['waker_context'] = 'task'): Hop => ({
  wakee,
  wakee_pid: 100 + wakee,
  wakee_comm: 'w',
  woken: ns(woken),
  running: ns(woken + 5),
  cpu: 0,
  latency: ns(5),
  waker_pid: wakerPid,
  waker_comm: 'x',
  waker_context: wakerContext,
  waker_cpu: 1,
  event: 'sched_waking',
  waker_run: ns(1),
});

/** Task 1 was woken by 2, that by 3, that by an interrupt above a task of PID 104; task 1 wakes 5. */
const chain: Chain = {
  run: { cpu: 0, start: ns(100), end: ns(200), kind: 'run', inferred: false, open: false, task: 1 },
  back: [hop(1, 102, 90), hop(2, 103, 80), hop(3, 104, 70, 'hardirq')],
  ends_at: 'interrupt',
  forward: [hop(5, 101, 150)],
  forward_total: 1,
};

const lanes = [5, 3, 2, 1].map((task) => ({ task, pid: 100 + task }) as TaskInfo);
const laneOf = new Map(lanes.map(({ task }, lane) => [task, lane]));

describe('wakeups of a chain on the task lanes', () => {
  it('go from lane to lane when the waking happens', () => {
    const arrows = chainTaskArrows(chain);
    expect(arrows.map(({ at, back, interrupt }) => [at, back, interrupt])).toEqual([
      [90, true, false],
      [80, true, false],
      [70, true, true],
      [150, false, false],
    ]);
    expect(arrows.map((arrow) => arrowLanes(arrow, lanes, laneOf))).toEqual([
      { from: 2, to: 3 },
      { from: 1, to: 2 },
      null,
      { from: 3, to: 0 },
    ]);
    expect(chainTaskArrows(null)).toEqual([]);
  });

  it('find the first waker by its PID', () => {
    const first = { task: 4, pid: 104 } as TaskInfo;
    const arrow = chainTaskArrows(chain)[2];
    expect(arrow && arrowLanes(arrow, [first, ...lanes], new Map([[3, 2]]))).toEqual({ from: 0, to: 2 });
  });
});
