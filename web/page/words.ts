/** What the kernel's letters and the protocol's kinds mean, in words. */
import { formatCount, plural } from '../base/format';
import type { Chain, Interval, Summary, WakerContext, WakeupEdge } from '../engine/protocol';

/** `prev_state` letters as the kernel's own `sched_switch` format text prints them. */
const STATES: Readonly<Record<string, string>> = {
  S: 'sleeping',
  D: 'blocked (uninterruptible)',
  T: 'stopped',
  t: 'stopped by a tracer',
  X: 'dead',
  Z: 'exited, not yet reaped by its parent',
  P: 'parked',
  I: 'idle kernel thread',
  K: 'wake-kill',
  W: 'waking or paging',
  N: 'not contributing to the load',
  x: 'dead',
};

/** Why a run stopped: its state letters in words. */
export function endStateInWords(run: Pick<Interval, 'end_state' | 'open' | 'throttled' | 'yielded'>): string {
  if (run.open) {
    return 'Still running when the trace ends';
  }
  const letters = run.end_state;
  if (letters === null || letters === undefined || letters === '') {
    return 'Not known';
  }
  if (run.throttled) {
    return `Throttled: off its runqueue until its next period (${letters})`;
  }
  if (run.yielded) {
    return `Yielded: it called sched_yield, still runnable (${letters})`;
  }
  if (letters === 'R+') {
    return 'Preempted, still runnable (R+)';
  }
  if (letters === 'R') {
    return 'Still runnable: it was preempted or gave up its CPU (R)';
  }
  const words = letters
    .replace('+', '')
    .split('|')
    .map((letter) => STATES[letter] ?? `state ${letter}`)
    .join(', ');
  const preempted = letters.endsWith('+') ? ', preempted on the way' : '';
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${preempted} (${letters})`;
}

/** How many durations numbers leave out; empty if none. */
export function leftOut(count: number): string {
  return count > 0 ? `${formatCount(count)} more are uncertain and left out: records are missing meanwhile.` : '';
}

/** Where the waker was when it caused the wakeup. */
export const contextInWords: Readonly<Record<WakerContext, string>> = {
  task: 'in task context',
  hardirq: 'in a hard interrupt',
  softirq: 'in a soft interrupt',
  unknown: 'in an unknown context',
};

/** Why the chain does not go back further. */
export const chainEndInWords: Readonly<Record<Chain['ends_at'], string>> = {
  interrupt: 'An interrupt made this wakeup: the chain begins here.',
  idle: 'An interrupt on an idle CPU made this wakeup: the chain begins here.',
  trace_start: 'The chain reaches the start of the trace.',
  unknown: 'The trace does not say what came before.',
  limit: 'The chain continues, but no more hops are followed.',
};

/** `120, fair (nice 0)`: the kernel's priority, and what it means. */
export function priorityInWords({ prio, class: name }: Pick<Interval, 'prio' | 'class'>): string | null {
  if (prio === null || prio === undefined) {
    return null;
  }
  switch (name) {
    case 'fair':
      return `${prio}, fair (nice ${prio - 120})`;
    case 'RT':
      return `${prio}, RT (real-time priority ${99 - prio})`;
    case 'deadline':
    case 'idle':
      return `${prio}, ${name}`;
    default:
      return `${prio}`;
  }
}

/** How many events a trace has for the lanes; if none, how many it has for the list of events. */
export const eventCount = ({
  records,
  sched_events: schedEvents,
}: Pick<Summary, 'records' | 'sched_events'>): string =>
  schedEvents > 0 ? plural(schedEvents, 'scheduling event') : `${plural(records, 'event')}, none of the scheduler`;

/** What a tab says in place of numbers that are all 0; null where there is something to count. */
export function nothingToCount({
  records,
  sched_events: schedEvents,
  missing_events: missing,
}: Pick<Summary, 'records' | 'sched_events' | 'missing_events'>): string | null {
  if (!missing.includes('sched_switch')) {
    return null;
  }
  const others = `${plural(records - schedEvents, 'event')} of other kinds`;
  const held =
    schedEvents === 0
      ? `This file holds no scheduler events (${others})`
      : `This file holds no sched_switch, so when tasks ran is unknown (${plural(schedEvents, 'scheduler event')}, ${others})`;
  return `${held}. Record with -e sched.`;
}

/** `comm 1234` */
export const taskName = (comm: string, pid: number): string => `${comm} ${pid}`;

/** What was running on the CPU on which a wakeup was made. */
export function wakerInWords({ waker, waker_cpu: cpu }: Pick<WakeupEdge, 'waker' | 'waker_cpu'>): string {
  switch (waker.kind) {
    case 'task':
      return taskName(waker.comm, waker.pid);
    case 'idle':
      return `swapper/${cpu}`;
    case 'unknown':
      return 'not known';
  }
}

/** `1st`, `2nd`, `11th`, `22nd` */
export function ordinal(count: number): string {
  const isTeen = count % 100 >= 11 && count % 100 <= 13;
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th');
  return `${count}${ending}`;
}

/** The engine's messages begin in lower case and have no full stop; the page's texts are sentences. */
export function sentence(text: string): string {
  const stopped = /[.!?]$/.test(text) ? text : `${text}.`;
  // An event's name stays as the kernel writes it.
  return /^\w+_/.test(stopped) ? stopped : stopped.charAt(0).toUpperCase() + stopped.slice(1);
}

/** What is said of a worker that died and was replaced. */
export const restartInWords = (what: string): string => `${sentence(what)} It was started again; nothing is lost.`;

/** A file of the page itself is missing: there is no network, or another version took its place. */
export const NOT_LOADED = 'A part of this page could not be loaded: reload it.';

/** Where an error lies: a place in the file, as a sentence, or an address as it is. */
export const placeInWords = (where: string): string => (/^[a-z][a-z0-9+.-]*:/i.test(where) ? where : sentence(where));

/** The task of a run, else what an interval of a lane is. */
export function whatRuns(interval: Interval): string {
  switch (interval.kind) {
    case 'run':
      return taskName(interval.comm ?? '', interval.pid ?? 0);
    case 'idle':
      return 'idle';
    case 'unknown':
      return 'unknown';
  }
}

/** Whether records are missing: then waits may hold time in which a task ran unseen. */
export const isIncomplete = ({ lost_gaps: gaps, damage }: Pick<Summary, 'lost_gaps' | 'damage'>): boolean =>
  gaps > 0 || damage !== null;
