import { describe, expect, it } from 'vitest';
import { ns } from '../../base/units';
import type { Chain, WakerContext, WakeupEdge } from '../../engine/protocol';
import { arrowLanes, chainTaskArrows } from './taskArrows';

const named = (task: number) => ({ task, pid: 100 + task, generation: 0, comm: 'w' });

const hop = (wakee: number, waker: number, at: number, context: WakerContext = 'task'): WakeupEdge => ({
  event: 'sched_waking',
  at_ns: ns(at),
  woken_ns: ns(at + 1),
  running_ns: ns(at + 5),
  latency_ns: 5,
  cpu: 0,
  wakee: named(wakee),
  waker: { kind: 'task', ...named(waker) },
  context,
  waker_cpu: 1,
  waker_run_ns: ns(1),
  previous_cpu: null,
  chosen_cpu: null,
  choice: null,
  uncertain: false,
});

/** Task 1 was woken by task 2, task 2 by 3, and 3 by an interrupt on the CPU of task 4; task 1 wakes 5. */
const chain: Chain = {
  run: { cpu: 0, start: ns(100), end: ns(200), kind: 'run', inferred: false, open: false, task: 1 },
  back: [hop(1, 2, 90), hop(2, 3, 80), hop(3, 4, 70, 'hardirq')],
  ends_at: 'interrupt',
  forward: [hop(5, 1, 150)],
  forward_total: 1,
};

const laneOf = new Map([5, 3, 2, 1].map((task, lane) => [task, lane]));

describe('wakeups of a chain on the task lanes', () => {
  it('go from lane to lane when the waking happens', () => {
    const arrows = chainTaskArrows(chain);
    expect(arrows.map(({ at, back, interrupt }) => [at, back, interrupt])).toEqual([
      [90, true, false],
      [80, true, false],
      [70, true, true],
      [150, false, false],
    ]);
    expect(arrows.map((arrow) => arrowLanes(arrow, laneOf))).toEqual([
      { from: 2, to: 3 },
      { from: 1, to: 2 },
      null,
      { from: 3, to: 0 },
    ]);
    expect(chainTaskArrows(null)).toEqual([]);
  });

  it('begin at no lane where nothing is known of the waker', () => {
    const unknown = { ...hop(3, 0, 70), waker: { kind: 'unknown' } as const };
    const [arrow] = chainTaskArrows({ ...chain, back: [unknown], forward: [] });
    expect(arrow && arrowLanes(arrow, laneOf)).toBeNull();
  });
});
