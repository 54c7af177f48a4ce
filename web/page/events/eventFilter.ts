/** Turns the user's choices into the filter that the engine is asked with. Pure. */
import { formatCpuList } from '../../base/cpuList';
import type { TimeWindow } from '../../base/units';
import type { EventFilter, Summary } from '../../engine/protocol';
import { type EventsView, isExpression } from '../../state/events';

/** What the list follows, if anything. */
export interface Followed {
  /** The window on the screen; null: everything. */
  readonly window: TimeWindow | null;
  readonly cpu: number | null;
  /** The PID of the selected run; null when there is none. */
  readonly pid: number | null;
}

interface Tasks extends Pick<Summary, 'comms'> {
  readonly tasks: Pick<Summary['tasks'], 'pid' | 'comm'>;
}

export function eventFilter(events: EventsView, tasks: Tasks, followed: Followed): EventFilter {
  const { followSelection } = events;
  const typed = events.task.trim() === '' ? null : pidsOf(events.task, tasks);
  const chosen = events.cpus.length === 0 ? null : events.cpus;
  return {
    cpus: followSelection === 'cpu' && followed.cpu !== null ? both(chosen, followed.cpu) : chosen,
    pids: followSelection === 'task' && followed.pid !== null ? both(typed, followed.pid) : typed,
    events: events.names.length === 0 ? null : events.names,
    ...textFilter(events.text),
    window: events.followWindow ? followed.window : null,
  };
}

const textFilter = (text: string): Pick<EventFilter, 'text' | 'expression'> =>
  isExpression(text) ? { text: '', expression: text } : { text };

/** The values that are in the list and also meet one more condition. */
const both = (allowed: readonly number[] | null, one: number): readonly number[] =>
  allowed === null || allowed.includes(one) ? [one] : [];

/** Names of the idle task, which is not among the tasks of the summary. */
const IDLE = ['<idle>', 'idle', 'swapper'];

/** The PIDs in a text, and those of tasks whose command begins with a name in it, ascending. Empty when none match. */
export function pidsOf(text: string, { tasks, comms }: Tasks): readonly number[] {
  const pids = new Set<number>();
  for (const part of text.split(',').map((piece) => piece.trim())) {
    if (/^\d{1,10}$/.test(part)) {
      pids.add(Number(part));
    } else if (part !== '') {
      if (IDLE.some((name) => name === part || part.startsWith(`${name}/`))) {
        pids.add(0);
      }
      for (const [task, comm] of tasks.comm.entries()) {
        const pid = tasks.pid[task];
        if (pid !== undefined && comms[comm]?.startsWith(part)) {
          pids.add(pid);
        }
      }
    }
  }
  return [...pids].sort((a, b) => a - b);
}

/** What the list shows, in words, for screen readers and copied text; empty when it shows everything. */
export function filterInWords(events: EventsView, filter: EventFilter): string {
  const parts = [
    filter.cpus && `CPUs ${filter.cpus.length === 0 ? 'none' : formatCpuList(filter.cpus)}`,
    events.task.trim() !== '' && `tasks ${events.task.trim()}`,
    events.followSelection === 'task' && filter.pids && `task ${filter.pids.join(', ') || 'none'} selected`,
    filter.events && `events ${filter.events.join(', ')}`,
    filter.text !== '' && `text "${filter.text}"`,
    filter.expression && `only ${filter.expression}`,
    filter.window && 'window',
  ];
  return parts.filter(Boolean).join('; ');
}
