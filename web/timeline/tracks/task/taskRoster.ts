/**
 * The tasks that have lanes, from top to bottom: those that the view names, looked up in the open trace, and sorted.
 * When the choice changes, the old lanes stay until the answers have arrived.
 */
import { observable } from '../../../base/observable';
import type { EngineClient } from '../../../engine/client';
import type { TaskId, TaskInfo } from '../../../engine/protocol';
import { TASK_COLUMNS } from '../../../engine/protocolTables';
import type { Store } from '../../../state/store';
import { formatTasks, hasTaskLanes, type TaskKey, type TaskOrder } from '../../../state/tasks';
import type { TraceInfo } from '../../frame/traceInfo';

/** The most lanes: nobody scrolls through more, and each costs memory for what is on the screen. */
const MAX_LANES = 512;

export interface TaskLanes {
  /** The lanes from top to bottom. */
  readonly lanes: readonly TaskInfo[];
  readonly laneOf: ReadonlyMap<TaskId, number>;
  /** How many lanes there would be without `MAX_LANES`. */
  readonly total: number;
  /** Chosen tasks and commands that this trace does not have. */
  readonly absent: readonly string[];
}

export const noTaskLanes: TaskLanes = { lanes: [], laneOf: new Map(), total: 0, absent: [] };

/** The id of a task; its generation is the number of tasks that had its PID before it. */
export function taskIdOf(pids: Int32Array, { pid, generation }: TaskKey): TaskId | null {
  let id = -1;
  for (let left = generation; left >= 0; left--) {
    id = pids.indexOf(pid, id + 1);
    if (id < 0) return null;
  }
  return id;
}

export function taskNameOf(pids: Int32Array, task: TaskId): TaskKey | null {
  const pid = pids[task];
  if (pid === undefined) return null;
  let generation = 0;
  for (let id = pids.indexOf(pid); id >= 0 && id < task; id = pids.indexOf(pid, id + 1)) generation++;
  return { pid, generation };
}

/** The lanes in order. `waiting`: how many ns each task waited, by id. */
export function orderedLanes(
  tasks: readonly TaskInfo[],
  order: TaskOrder,
  waiting: ReadonlyMap<TaskId, number>,
): TaskInfo[] {
  const byPid = (a: TaskInfo, b: TaskInfo): number => a.pid - b.pid || a.generation - b.generation;
  const never = Number.MAX_SAFE_INTEGER;
  switch (order) {
    case 'pid':
      return [...tasks].sort(byPid);
    case 'first':
      return [...tasks].sort((a, b) => (a.first_run ?? never) - (b.first_run ?? never) || byPid(a, b));
    case 'waiting':
      return [...tasks].sort((a, b) => (waiting.get(b.task) ?? 0) - (waiting.get(a.task) ?? 0) || byPid(a, b));
  }
}

/** What determines the lanes. */
interface Wanted {
  readonly session: number;
  readonly pids: Int32Array;
  readonly tasks: readonly TaskKey[];
  readonly comms: readonly string[];
  readonly order: TaskOrder;
  readonly forked: boolean;
}

export class TaskRoster {
  readonly lanes = observable<TaskLanes>(noTaskLanes);
  readonly #engine: EngineClient;
  readonly #store: Store;
  #asked = '';
  #pending = 0;

  constructor(engine: EngineClient, store: Store) {
    this.#engine = engine;
    this.#store = store;
  }

  /** Whether the lanes are those that the view names. */
  get idle(): boolean {
    return this.#pending === 0;
  }

  /** Checks whether the view names other tasks, or another trace is open. */
  update(trace: TraceInfo | null): void {
    const { tasks, forked } = this.#store.getState();
    const opened = trace?.stage === 'opened' && hasTaskLanes(tasks) ? trace : null;
    const text = opened && JSON.stringify([opened.session, forked, formatTasks(tasks.tasks), tasks.comms, tasks.order]);
    if (text === this.#asked) return;
    this.#asked = text ?? '';
    if (opened === null) {
      this.lanes.set(noTaskLanes);
      return;
    }
    const { session, pids } = opened;
    void this.#ask({ session, pids, forked, tasks: tasks.tasks, comms: tasks.comms, order: tasks.order });
  }

  async #ask(wanted: Wanted): Promise<void> {
    const asked = this.#asked;
    this.#pending++;
    const found = await this.#find(wanted);
    this.#pending--;
    if (found !== null && asked === this.#asked) this.lanes.set(found);
  }

  /** The lanes; null if another choice has replaced this one. */
  async #find({ pids, tasks, comms, order, forked }: Wanted): Promise<TaskLanes | null> {
    const absent: string[] = [];
    const ids = tasks.flatMap((name) => {
      const id = taskIdOf(pids, name);
      if (id === null) absent.push(`PID ${formatTasks([name])}`);
      return id ?? [];
    });
    const [chosen, waiting, ...named] = await Promise.all([
      ids.length === 0 ? [] : this.#tasks('chosen', ids, null),
      order === 'waiting' ? this.#waiting() : new Map<TaskId, number>(),
      ...comms.map((comm, i) => this.#tasks(`${i}`, null, comm)),
    ]);
    if (chosen === null || waiting === null) return null;
    const lanes = new Map(chosen.map((info) => [info.task, info]));
    for (const [i, infos] of named.entries()) {
      if (infos === null) return null;
      if (infos.length === 0) absent.push(`command ${comms[i]}`);
      for (const info of infos) {
        if (info.forked || !forked) lanes.set(info.task, info);
      }
    }
    const sorted = orderedLanes([...lanes.values()], order, waiting).slice(0, MAX_LANES);
    return { lanes: sorted, laneOf: new Map(sorted.map(({ task }, i) => [task, i])), total: lanes.size, absent };
  }

  async #tasks(key: string, ids: readonly TaskId[] | null, comm: string | null): Promise<readonly TaskInfo[] | null> {
    const outcome = await this.#engine.query(`scene/tasks/${key}`, { type: 'tasks', ids, comm });
    return outcome.kind === 'answer' ? outcome.answer.tasks : outcome.kind === 'failed' ? [] : null;
  }

  async #waiting(): Promise<ReadonlyMap<TaskId, number> | null> {
    const outcome = await this.#engine.query('scene/taskWaiting', { type: 'task_table', window: null });
    if (outcome.kind === 'superseded') return null;
    const values = outcome.kind === 'answer' ? outcome.answer.values : new Float64Array(0);
    const columns = TASK_COLUMNS.length;
    const [task, waiting] = [TASK_COLUMNS.indexOf('task'), TASK_COLUMNS.indexOf('waiting_ns')];
    return new Map(
      Array.from({ length: values.length / columns }, (_, row) => [
        values[row * columns + task] ?? 0,
        values[row * columns + waiting] ?? 0,
      ]),
    );
  }
}
