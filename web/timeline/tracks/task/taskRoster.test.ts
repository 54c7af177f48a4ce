import { describe, expect, it } from 'vitest';
import { cssPx, type Ns, ns } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import type { TaskId, TaskInfo } from '../../../engine/protocol';
import { TASK_COLUMNS } from '../../../engine/protocolTables';
import { createStore } from '../../../state/store';
import { withComms, withTasks } from '../../../state/tasks';
import { lanesInSight } from '../../frame/laneLayout';
import type { TraceInfo } from '../../frame/traceInfo';
import { layoutTaskLanes, scrollTo } from './taskLayout';
import { orderedLanes, TaskRoster, taskIdOf, taskNameOf } from './taskRoster';

const pids = Int32Array.of(0, 10, 7, 10, 12, 10);

const info = (task: TaskId, firstRun: Ns | null, comms: readonly string[] = ['a'], forked = false): TaskInfo => ({
  task,
  ...(taskNameOf(pids, task) ?? { pid: 0, generation: 0 }),
  comm: comms.at(-1) ?? '',
  comms: comms.map((comm) => ({ comm, from: ns(0) })),
  forked,
  parent: null,
  kernel: 'unknown',
  class: null,
  prio: null,
  runs: 1,
  execution_ns: 1,
  first_run: firstRun,
  last_run: firstRun,
});

const known = [info(1, ns(50)), info(2, ns(10), ['a', 'b']), info(3, null, ['b'], true), info(4, ns(10), ['b'])];
const waits = new Map([
  [4, 900],
  [1, 900],
  [3, 1],
]);

/** Answers as the engine does, from `known`. */
const engine = {
  query: async (_key: string, query: { type: string; ids?: readonly TaskId[] | null; comm?: string | null }) => {
    if (query.type === 'task_table') {
      const values = Float64Array.from(
        [...waits].flatMap(([task, ns]) =>
          TASK_COLUMNS.map((column) => (column === 'task' ? task : column === 'waiting_ns' ? ns : -1)),
        ),
      );
      return { kind: 'answer', answer: { type: 'task_table', values } };
    }
    const { ids, comm } = query;
    const tasks = known.filter(
      (task) => (ids?.includes(task.task) ?? true) && (comm == null || task.comms.some((name) => name.comm === comm)),
    );
    return { kind: 'answer', answer: { type: 'tasks', tasks } };
  },
} as unknown as EngineClient;

const trace = { session: 1, stage: 'opened', pids } as TraceInfo;

describe('tasks and their names', () => {
  it('are told apart by how many tasks had the PID before', () => {
    expect(taskIdOf(pids, { pid: 10, generation: 0 })).toBe(1);
    expect(taskIdOf(pids, { pid: 10, generation: 2 })).toBe(5);
    expect(taskIdOf(pids, { pid: 10, generation: 3 })).toBeNull();
    expect(taskIdOf(pids, { pid: 99, generation: 0 })).toBeNull();
    for (let id = 0; id < pids.length; id++) {
      const name = taskNameOf(pids, id);
      expect(name && taskIdOf(pids, name)).toBe(id);
    }
    expect(taskNameOf(pids, 6)).toBeNull();
  });
});

describe('which lanes there are', () => {
  const lanesOf = async (...change: readonly Parameters<ReturnType<typeof createStore>['dispatch']>[0][]) => {
    const store = createStore();
    const roster = new TaskRoster(engine, store);
    for (const action of change) store.dispatch(action);
    roster.update(trace);
    await new Promise((resolve) => setTimeout(resolve));
    expect(roster.idle).toBe(true);
    return { roster, store, lanes: roster.lanes.get() };
  };
  const { tasks } = createStore().getState();

  it('is said by PIDs and commands, each task once', async () => {
    const chosen = withComms(
      withTasks(tasks, [
        { pid: 7, generation: 0 },
        { pid: 99, generation: 0 },
      ]),
      ['b', 'z'],
    );
    const { lanes } = await lanesOf({ type: 'tasks', change: chosen });
    expect(lanes.lanes.map(({ task }) => task)).toEqual([2, 3, 4]);
    expect(lanes.laneOf.get(4)).toBe(2);
    expect(lanes.absent).toEqual(['PID 99', 'command z']);
    expect(lanes.total).toBe(3);
  });

  it('leaves out what was not forked in the trace, of a command, when only that is shown', async () => {
    const chosen = withComms(withTasks(tasks, [{ pid: 7, generation: 0 }]), ['b']);
    const { lanes } = await lanesOf({ type: 'forked', on: true }, { type: 'tasks', change: chosen });
    expect(lanes.lanes.map(({ task }) => task)).toEqual([2, 3]);
  });

  it('follows the view, and another trace', async () => {
    const { roster, store } = await lanesOf({ type: 'tasks', change: withComms(tasks, ['b']) });
    store.dispatch({ type: 'tasks', change: { ...tasks, order: 'waiting', comms: ['a', 'b'] } });
    roster.update(trace);
    await new Promise((resolve) => setTimeout(resolve));
    expect(roster.lanes.get().lanes.map(({ task }) => task)).toEqual([1, 4, 3, 2]);
    roster.update(null);
    expect(roster.lanes.get().lanes).toEqual([]);
  });

  it('are in the order that is asked for, and the same each time', () => {
    const order = (by: 'pid' | 'first' | 'waiting'): number[] => orderedLanes(known, by, waits).map(({ task }) => task);
    expect(order('pid')).toEqual([2, 1, 3, 4]);
    expect(order('first')).toEqual([2, 4, 1, 3]);
    expect(order('waiting')).toEqual([1, 4, 3, 2]);
  });
});

describe('the lanes on the screen', () => {
  it('are scrolled within their number', () => {
    expect(layoutTaskLanes(10, cssPx(100), 20, 99).top).toBe(-100);
    expect(layoutTaskLanes(3, cssPx(100), 20, 2).top).toBe(0);
    expect(lanesInSight(layoutTaskLanes(10, cssPx(100), 20, 1.5))).toEqual({ first: 1, end: 7 });
    expect(lanesInSight(layoutTaskLanes(3, cssPx(100), 20, 0))).toEqual({ first: 0, end: 3 });
  });

  it('move as little as shows a lane whole', () => {
    const layout = layoutTaskLanes(10, cssPx(100), 20, 1.5);
    expect(scrollTo(layout, 3)).toBe(1.5);
    expect(scrollTo(layout, 1)).toBe(1);
    expect(scrollTo(layout, 6)).toBe(2);
    expect(scrollTo(layout, 9)).toBe(5);
  });
});
