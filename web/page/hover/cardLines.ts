/** What the card at the pointer says. Pure. */
import { formatDuration, formatTime, plural } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Ns } from '../../base/units';
import { type Interval, isEarly } from '../../engine/protocol';
import type { Hover, IrqsHere } from '../../state/hover';
import { callInWords } from '../../timeline/tracks/calls/callWords';
import { stateInWords, taskInWords } from '../../timeline/tracks/task/taskWords';
import { latencyParts } from '../explain/latencyParts';
import { endStateInWords, priorityInWords, taskName, wakerInWords } from '../words';
import { handlerLines, handlerName, shareInWords } from './irqLines';

export interface Card {
  readonly title: string;
  readonly lines: readonly string[];
  /** Whose colour the card shows; null: it is of no task. */
  readonly task: { readonly pid: number; readonly comm: string } | null;
}

/** The card of what is hovered; null: nothing is, or it is not known yet. */
export function cardOf(hover: Hover, clock: TraceClock, origin: Ns): Card | null {
  const { cpu, task, interval, waiting, state, call } = hover;
  const irqs = irqsOf(hover);
  const longest = irqs?.onBand ? irqs.stolen.longest : null;
  if (irqs && longest) {
    return { title: handlerName(longest), lines: handlerLines(irqs, longest, clock, origin), task: null };
  }
  const taken = irqs ? [shareInWords(irqs, clock)] : [];
  if (state) {
    const lines = call?.task === task ? [callInWords(call, clock, origin)] : [stateInWords(state, clock, origin)];
    return { title: taskInWords(state), lines: [...lines, ...taken], task: null };
  }
  if (cpu === null || interval === null || interval.cpu !== cpu) {
    return null;
  }
  const queue = waiting === null ? [] : [`${plural(waiting, 'task waits', 'tasks wait')} on this CPU`];
  const lines = [...placeLines(interval, clock, origin), ...runLines(interval, clock), ...queue, ...taken];
  switch (interval.kind) {
    case 'run': {
      const [comm, pid] = [interval.comm ?? '', interval.pid ?? 0];
      return { title: taskName(comm, pid), lines, task: { comm, pid } };
    }
    case 'idle':
      return { title: 'Idle', lines, task: null };
    case 'unknown':
      return { title: 'Not known what ran here', lines, task: null };
  }
}

/** What interrupts took of the hovered lane, as long as that is the one that was asked about. */
export const irqsOf = ({ cpu, task, irqs }: Pick<Hover, 'cpu' | 'task' | 'irqs'>): IrqsHere | null =>
  irqs !== null && irqs.key === (irqs.of === 'cpu' ? cpu : task) ? irqs : null;

function placeLines(interval: Interval, clock: TraceClock, origin: Ns): string[] {
  const lasted = formatDuration(clock, interval.end - interval.start);
  const start = formatTime(clock, interval.start, origin, 6);
  return [`${lasted} on CPU ${interval.cpu}`, `from ${start}${interval.inferred ? ' or earlier' : ''}`];
}

function runLines(run: Interval, clock: TraceClock): string[] {
  if (run.kind !== 'run' || isEarly(run)) {
    return [];
  }
  const since = run.waited_since;
  // A latency that began before the wait is said with it.
  const isPart = run.wakeup != null && latencyParts(run, run.wakeup).length > 0;
  const latency =
    isPart && run.wakeup ? `, of a latency of ${formatDuration(clock, run.start - run.wakeup.at_ns)}` : '';
  const waited =
    since === null || since === undefined ? [] : [`waited ${formatDuration(clock, run.start - since)}${latency}`];
  const woken = run.wakeup ? [`woken by ${wakerInWords(run.wakeup)}`] : [];
  const priority = priorityInWords(run);
  return [
    ...waited,
    ...woken,
    `then: ${lowered(endStateInWords(run))}`,
    ...(priority === null ? [] : [`priority ${priority}`]),
  ];
}

const lowered = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
