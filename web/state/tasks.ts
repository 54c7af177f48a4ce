/** The task lanes as a part of the view: which tasks have one, and how they are laid out. Pure. */

/** A task by its stable identity: PIDs are reused, so the n-th task (from 0) with a PID is a generation of it. */
export interface TaskKey {
  readonly pid: number;
  readonly generation: number;
}

export type TaskOrder = 'pid' | 'first' | 'waiting';

export interface TasksView {
  /** Tasks that were chosen one by one; ascending, without repetition. */
  readonly tasks: readonly TaskKey[];
  /** Names of which every task that ever had one gets a lane. */
  readonly comms: readonly string[];
  readonly order: TaskOrder;
  /** Height of a lane with its gap, in CSS pixels. */
  readonly pitch: number;
  /** First visible lane, in lanes (fractions allowed). */
  readonly scroll: number;
}

export const initialTasks: TasksView = { tasks: [], comms: [], order: 'pid', pitch: 28, scroll: 0 };

export const MIN_TASK_PITCH = 14;
export const MAX_TASK_PITCH = 96;
export const MAX_TASKS = 256;
export const MAX_TASK_COMMS = 16;

export const hasTaskLanes = ({ tasks, comms }: TasksView): boolean => tasks.length > 0 || comms.length > 0;

export const sameTask = (a: TaskKey, b: TaskKey): boolean => a.pid === b.pid && a.generation === b.generation;

/** The tasks in ascending order, each once. */
export function sortedTasks(tasks: readonly TaskKey[]): TaskKey[] {
  const sorted = tasks
    .map(({ pid, generation }) => ({ pid, generation }))
    .sort((a, b) => a.pid - b.pid || a.generation - b.generation);
  return sorted.filter((task, i) => i === 0 || !sameTask(task, sorted[i - 1] ?? task));
}

/** Adds tasks to those that have a lane. */
export const withTasks = (view: TasksView, tasks: readonly TaskKey[]): TasksView => ({
  ...view,
  tasks: sortedTasks([...view.tasks, ...tasks]).slice(0, MAX_TASKS),
});

/** Adds `comms`, names of which all tasks get lanes. */
export const withComms = (view: TasksView, comms: readonly string[]): TasksView => ({
  ...view,
  comms: [...new Set([...view.comms, ...comms])].slice(0, MAX_TASK_COMMS),
});

/**
 * Removes the lanes of some tasks. A command that brought one of them is replaced by its other tasks; `ofComm` says
 * which tasks a command brought.
 */
export function withoutTasks(
  view: TasksView,
  removed: readonly TaskKey[],
  ofComm: (comm: string) => readonly TaskKey[],
): TasksView {
  const isRemoved = (task: TaskKey): boolean => removed.some((other) => sameTask(task, other));
  const broken = view.comms.filter((comm) => ofComm(comm).some(isRemoved));
  const kept = [...view.tasks, ...broken.flatMap(ofComm)].filter((task) => !isRemoved(task));
  return {
    ...view,
    tasks: sortedTasks(kept).slice(0, MAX_TASKS),
    comms: view.comms.filter((comm) => !broken.includes(comm)),
  };
}

/** Changes the layout, within fixed bounds. What the number of lanes allows is clamped where that number is known. */
export function withTaskLayout(view: TasksView, pitch: number, scroll: number): TasksView {
  return { ...view, pitch: Math.min(Math.max(pitch, MIN_TASK_PITCH), MAX_TASK_PITCH), scroll: Math.max(0, scroll) };
}

/** The view with its numbers rounded as a URL holds them. */
export function settledTasks(view: TasksView): TasksView {
  const pitch = Math.round(view.pitch * 1000) / 1000;
  const scroll = Math.round(view.scroll * 1000) / 1000;
  return pitch === view.pitch && scroll === view.scroll ? view : { ...view, pitch, scroll };
}

/** The tasks as a URL holds them: `12-15,20,20.1`. A generation other than the first follows a point. */
export function formatTasks(tasks: readonly TaskKey[]): string {
  const parts: string[] = [];
  const first = tasks.filter(({ generation }) => generation === 0).map(({ pid }) => pid);
  for (let from = 0; from < first.length; ) {
    let end = from + 1;
    while (first[end] === (first[end - 1] ?? 0) + 1) end++;
    parts.push(end - from > 1 ? `${first[from]}-${first[end - 1]}` : `${first[from]}`);
    from = end;
  }
  for (const { pid, generation } of tasks) {
    if (generation > 0) parts.push(`${pid}.${generation}`);
  }
  return parts.join(',');
}

/** Reads what `formatTasks` writes; null: not a list of tasks, or more than `MAX_TASKS`. */
export function parseTasks(text: string): TaskKey[] | null {
  const tasks: TaskKey[] = [];
  for (const part of text.split(',')) {
    const match = /^\s*(\d{1,8})(?:\.(\d{1,6})|-(\d{1,8}))?\s*$/.exec(part);
    if (!match) {
      return null;
    }
    const first = Number(match[1]);
    const last = Number(match[3] ?? first);
    if (last < first || last - first >= MAX_TASKS || tasks.length + last - first >= MAX_TASKS) {
      return null;
    }
    for (let pid = first; pid <= last; pid += 1) {
      tasks.push({ pid, generation: Number(match[2] ?? 0) });
    }
  }
  return sortedTasks(tasks);
}
