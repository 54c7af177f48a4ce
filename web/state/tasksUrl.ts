/** The task lanes in a URL: `tasks=12-15,20.1&tasks=comm:hackbench&task-lanes=28,3.5&task-order=waiting`. */
import {
  formatTasks,
  hasTaskLanes,
  initialTasks,
  MAX_TASK_COMMS,
  MAX_TASK_PITCH,
  MAX_TASKS,
  MIN_TASK_PITCH,
  parseTasks,
  sortedTasks,
  type TaskName,
  type TaskOrder,
  type TasksView,
} from './tasks';
import { oneOf, type ReadField } from './urlFields';

const ORDERS: readonly TaskOrder[] = ['pid', 'first', 'waiting'];
const COMM = 'comm:';
const MAX_COMM = 64;

/** Only what differs from the view without task lanes. */
export function encodeTasks(view: TasksView): [string, string][] {
  if (!hasTaskLanes(view)) {
    return [];
  }
  const fields: [string, string][] = view.comms.map((comm) => ['tasks', COMM + comm]);
  if (view.tasks.length > 0) {
    fields.unshift(['tasks', formatTasks(view.tasks)]);
  }
  if (view.order !== initialTasks.order) {
    fields.push(['task-order', view.order]);
  }
  if (view.pitch !== initialTasks.pitch || view.scroll !== 0) {
    fields.push(['task-lanes', `${decimals(view.pitch)},${decimals(view.scroll)}`]);
  }
  return fields;
}

/** `texts`: the values of all `tasks` fields; `ignored` is told what of them is bad. */
export function decodeTasks(
  texts: readonly string[],
  read: ReadField,
  ignored: (field: string, why: string) => void,
): TasksView {
  const tasks: TaskName[] = [];
  const comms: string[] = [];
  let bad = false;
  for (const text of texts) {
    if (text.startsWith(COMM)) {
      const comm = text.slice(COMM.length);
      const fine = comm !== '' && comm.length <= MAX_COMM;
      bad ||= !fine;
      comms.push(...(fine ? [comm] : []));
    } else {
      const parsed = parseTasks(text);
      bad ||= parsed === null;
      tasks.push(...(parsed ?? []));
    }
  }
  const chosen = sortedTasks(tasks);
  const named = [...new Set(comms)];
  if (bad || chosen.length > MAX_TASKS || named.length > MAX_TASK_COMMS) {
    ignored('tasks', `expected at most ${MAX_TASKS} PIDs, like 12-15,20, or a command, like comm:hackbench`);
  }
  const { pitch, scroll } = read('task-lanes', decodeLayout, initialTasks, 'the height and the first lane, like 28,0');
  return {
    tasks: chosen.slice(0, MAX_TASKS),
    comms: named.slice(0, MAX_TASK_COMMS),
    order: read('task-order', oneOf(ORDERS), initialTasks.order, ORDERS.join(', ')),
    pitch,
    scroll,
  };
}

const decimals = (value: number): string => `${Math.round(value * 1000) / 1000}`;

function decodeLayout(text: string): Pick<TasksView, 'pitch' | 'scroll'> | null {
  const match = /^(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)$/.exec(text);
  const pitch = Number(match?.[1]);
  return match && pitch >= MIN_TASK_PITCH && pitch <= MAX_TASK_PITCH ? { pitch, scroll: Number(match[2]) } : null;
}
