/** Which numbers of a report the latency pane shows, and what it calls them. Pure. */
import type { LatencyGroup, LatencyReport, Measured, ModelSelection } from '../../engine/protocol';
import type { Grouping, Measure } from '../../state/latency';
import { ordinal, taskName } from '../words';

/** The most rows in the list of the longest. */
export const LONGEST = 50;

/** The numbers of everything, or of one group. */
export type Numbers = Pick<LatencyGroup, 'wakeups' | 'waits' | 'runs'>;

export const numbersOfAll = ({ count, latency_ns, waits, runs }: LatencyReport): Numbers => ({
  wakeups: { count, ns: latency_ns },
  waits,
  runs,
});

export function measured({ wakeups, waits, runs }: Numbers, measure: Measure): Measured {
  switch (measure) {
    case 'wakeup':
      return wakeups;
    case 'wait':
      return waits.all;
    case 'wait-woken':
      return waits.woken;
    case 'wait-preempted':
      return waits.preempted;
    case 'run':
      return runs.all;
    case 'run-preempted':
      return runs.preempted;
    case 'run-yielded':
      return runs.yielded;
    case 'run-slept':
      return runs.slept;
    case 'run-exited':
      return runs.exited;
  }
}

interface Part {
  readonly measure: Measure;
  readonly text: string;
  readonly title: string;
  /** It is listed only where there is some. */
  readonly rare?: true;
}

/** What is measured, and into which parts it is split. */
export interface Kind {
  readonly kind: 'wakeup' | 'wait' | 'run';
  readonly text: string;
  /** The parts; the first one is the whole. */
  readonly parts: readonly Part[];
}

export const KINDS: readonly Kind[] = [
  {
    kind: 'wakeup',
    text: 'Wake-up latency',
    parts: [
      { measure: 'wakeup', text: 'All', title: 'From sched_waking (without one, sched_wakeup) to the next switch-in' },
    ],
  },
  {
    kind: 'wait',
    text: 'Wait time',
    parts: [
      { measure: 'wait', text: 'All', title: 'From any moment a task became runnable to its switch-in' },
      { measure: 'wait-woken', text: 'Woken', title: 'Waits that a wakeup began' },
      {
        measure: 'wait-preempted',
        text: 'Still runnable',
        title: 'Waits of tasks that were switched out runnable: preempted, or they gave up their CPU',
      },
    ],
  },
  {
    kind: 'run',
    text: 'Run length',
    parts: [
      { measure: 'run', text: 'All', title: 'Runs whose begin and end are in the trace' },
      {
        measure: 'run-preempted',
        text: 'Still runnable',
        title:
          'Runs that ended with the task still runnable: preempted (R+), or R, which does not say whether it was preempted or gave up its CPU',
      },
      {
        measure: 'run-yielded',
        text: 'Yielded',
        title: 'Runs that ended inside sched_yield, as recorded system calls show',
        rare: true,
      },
      { measure: 'run-slept', text: 'Blocked', title: 'Runs that ended with the task asleep, blocked or stopped' },
      { measure: 'run-exited', text: 'Exited', title: 'Runs that ended with the exit of the task' },
    ],
  },
];

export const kindOf = (measure: Measure): Kind =>
  KINDS.find(({ parts }) => parts.some((part) => part.measure === measure)) ?? (KINDS[0] as Kind);

export const meanOf = ({ count, ns }: Measured): number | null => (count === 0 ? null : ns.sum / count);

/** What identifies a group in any trace: the comm, the CPU, or the PID with its generation where that is not the first. */
export function groupId(group: LatencyGroup): string {
  if ('cpu' in group) {
    return `${group.cpu}`;
  }
  if ('pid' in group) {
    return group.generation === 0 ? `${group.pid}` : `${group.pid}.${group.generation}`;
  }
  return group.comm;
}

export function groupText(group: LatencyGroup): string {
  if ('cpu' in group) {
    return `CPU ${group.cpu}`;
  }
  if ('pid' in group) {
    const name = taskName(group.comm, group.pid);
    return group.generation === 0 ? name : `${name} (${ordinal(group.generation + 1)} with this PID)`;
  }
  return group.comm;
}

/** The sort key of a group: a CPU's number, otherwise the group's text. */
export const groupOrder = (group: LatencyGroup): number | string => ('cpu' in group ? group.cpu : groupText(group));

/** What restricts a selection to a group. */
export function narrowedTo(group: LatencyGroup): Partial<ModelSelection> {
  if ('cpu' in group) {
    return { cpus: [group.cpu] };
  }
  return 'pid' in group ? { pids: [group.pid] } : { comms: [group.comm] };
}

export const GROUPING_TEXTS: Readonly<Record<Grouping, { readonly one: string; readonly many: string }>> = {
  command: { one: 'Command', many: 'Commands' },
  task: { one: 'Task', many: 'Tasks' },
  cpu: { one: 'CPU', many: 'CPUs' },
};
