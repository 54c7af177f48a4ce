/** Gives tasks lanes and takes them away, for menus, buttons and keys alike. */
import { plural } from '../base/format';
import type { TaskId, TaskInfo } from '../engine/protocol';
import { presentInterval } from '../state/selectedRun';
import {
  initialTasks,
  sameTask,
  type TaskKey,
  type TasksView,
  withComms,
  withoutTasks,
  withTasks,
} from '../state/tasks';
import { taskNameOf } from '../timeline/tracks/task/taskRoster';
import { openSummary } from './navigate';
import type { Page } from './page';
import { taskName } from './words';

/** Gives tasks lanes in addition to those that are open. */
export function showLanesOfTasks(page: Page, tasks: readonly TaskKey[]): void {
  change(page, withTasks(page.store.getState().tasks, tasks));
}

/** Gives lanes to all tasks of some commands. */
export function showLanesOfCommands(page: Page, comms: readonly string[]): void {
  change(page, withComms(page.store.getState().tasks, comms));
}

export function hideLanesOfCommand(page: Page, comm: string): void {
  const { tasks } = page.store.getState();
  change(page, { ...tasks, comms: tasks.comms.filter((other) => other !== comm) });
}

/** Takes a lane away; `lanes`: those that are open. */
export function hideLane(page: Page, task: TaskKey, lanes: readonly TaskInfo[]): void {
  const had = (comm: string) => lanes.filter((info) => info.comms.some((name) => name.comm === comm));
  change(page, withoutTasks(page.store.getState().tasks, [task], had));
}

export function hideAllLanes(page: Page): void {
  const { order, pitch } = page.store.getState().tasks;
  change(page, { ...initialTasks, order, pitch });
}

/**
 * Opens or closes the lane of the selected run's task; without a selected run, opens lanes for the tasks of the
 * highlighted commands.
 */
export async function toggleSelectedLane(page: Page, lanes: readonly TaskInfo[]): Promise<void> {
  const { selection, highlighted } = page.store.getState();
  if (!selection && highlighted.length > 0) {
    showLanesOfCommands(page, highlighted);
    page.announce(`The tasks of ${highlighted.join(', ')} have lanes.`);
    return;
  }
  const run = await selectedRun(page);
  if (!run) {
    return;
  }
  if (lanes.some((info) => sameTask(info, run))) {
    hideLane(page, run, lanes);
    page.announce(`The lane of ${taskName(run.comm, run.pid)} is closed.`);
  } else {
    showLanesOfTasks(page, [run]);
    page.announce(`${taskName(run.comm, run.pid)} has a lane.`);
  }
}

export async function showSelectedCommand(page: Page): Promise<void> {
  const run = await selectedRun(page);
  if (run) {
    showLanesOfCommands(page, [run.comm]);
    page.announce(`The tasks of ${run.comm} have lanes.`);
  }
}

/** Opens lanes for the selected run's task and for all tasks of its wakeup chain, back to its cause. */
export async function showChainLanes(page: Page): Promise<void> {
  const { selection } = page.store.getState();
  if (!selection) {
    page.announce('Select a run first: the tasks of its wakeup chain get lanes.');
    return;
  }
  const summary = openSummary(page, 'The wakeup chain is known');
  if (summary === null) return;
  const { chain } = await page.selected.settled();
  if (!chain) {
    return;
  }
  const ids = new Set<TaskId>(chain.back.map(({ wakee }) => wakee.task));
  if (chain.run.task !== undefined) {
    ids.add(chain.run.task);
  }
  // The waker of each hop is the wakee of the hop before it; only that of the first hop is still missing.
  const first = chain.back.at(-1);
  if (first?.context === 'task' && first.waker.kind === 'task') {
    ids.add(first.waker.task);
  }
  const { pid } = summary.tasks;
  const tasks = [...ids].flatMap((id) => taskNameOf(pid, id) ?? []);
  showLanesOfTasks(page, tasks);
  page.announce(
    `${plural(tasks.length, 'task')} of the wakeup chain ${tasks.length === 1 ? 'has a lane' : 'have lanes'}.`,
  );
}

interface SelectedRun extends TaskKey {
  readonly comm: string;
}

/** The selected run; null, with an announcement, when none is selected. */
async function selectedRun(page: Page): Promise<SelectedRun | null> {
  const { selection } = page.store.getState();
  if (!selection) {
    page.announce('Select a run first: its task gets a lane.');
    return null;
  }
  if (openSummary(page, 'Tasks get lanes') === null) return null;
  const run = presentInterval(await page.selected.settled());
  if (run?.kind !== 'run' || run.pid === undefined) {
    page.announce('No task runs in what is selected.');
    return null;
  }
  return { pid: run.pid, generation: run.generation ?? 0, comm: run.comm ?? '' };
}

function change({ store, announce }: Page, next: TasksView): void {
  const before = store.getState();
  store.dispatch({ type: 'tasks', change: next });
  if (store.getState() === before && JSON.stringify(next) !== JSON.stringify(before.tasks)) {
    announce('The URL has no room for more lanes: choose tasks by their command, or close others.');
  }
}
