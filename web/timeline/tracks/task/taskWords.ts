/** Says in words what a task does at an instant, for the text beside the pointer, the status bar and screen readers. */
import { formatDuration, formatTime } from '../../../base/format';
import type { TraceClock } from '../../../base/traceTime';
import type { Ns } from '../../../base/units';
import type { KernelThread, TaskClass, TaskInfo, TaskInterval } from '../../../engine/protocol';

/** `hack 1234`; if the PID is reused, also which of its tasks this is. */
export function taskInWords({ comm, pid, generation }: Pick<TaskInfo, 'comm' | 'pid' | 'generation'>): string {
  return generation === 0 ? `${comm} ${pid}` : `${comm} ${pid}.${generation}`;
}

const CLASSES: Readonly<Record<TaskClass, string>> = {
  deadline: 'deadline class',
  RT: 'real-time class',
  fair: 'fair class',
  idle: 'idle class',
};
const KERNEL: Readonly<Record<KernelThread, string>> = {
  yes: 'kernel thread',
  likely: 'probably a kernel thread',
  unknown: '',
};

/** Everything that is known about a task's identity, a line for each fact. */
export function taskFacts(info: TaskInfo): string {
  const names = [...new Set(info.comms.map(({ comm }) => comm))];
  const { prio } = info;
  const range = prio && (prio.min === prio.max ? `${prio.min}` : `${prio.min} to ${prio.max}`);
  return [
    taskInWords(info),
    names.length > 1 ? `ran as ${names.join(', ')}` : '',
    [info.class === null ? '' : CLASSES[info.class], range === null ? '' : `kernel priority ${range}`]
      .filter(Boolean)
      .join(', '),
    KERNEL[info.kernel],
    info.forked ? 'forked in this trace' : '',
  ]
    .filter(Boolean)
    .join('\n');
}

/** `runnable for 12.3 µs since its wakeup at 1.234 s, then on CPU 3` */
export function stateInWords(interval: TaskInterval, clock: Pick<TraceClock, 'isNs'>, origin: Ns): string {
  const { state, start, end, open } = interval;
  const length = `for ${formatDuration(clock, end - start)}`;
  const since = formatTime(clock, start, origin);
  const letters = interval.letters === null ? '' : ` (${interval.letters})`;
  const rest = open ? ', until the trace ends' : '';
  switch (state) {
    case 'running':
      return `running on CPU ${interval.cpu} ${length} since ${since}${open ? rest : runEnd(interval)}`;
    case 'runnable': {
      const cause = {
        wakeup: ' its wakeup at',
        preempted: ' it was switched out runnable at',
        replenished: ' its next period had begun at',
      };
      const why = interval.cause === null ? '' : cause[interval.cause];
      const then = interval.cpu === null ? rest : `, then on CPU ${interval.cpu}`;
      return `runnable, waiting ${length} since${why} ${since}${then}`;
    }
    case 'sleeping':
    case 'blocked':
    case 'stopped':
      return `${state}${letters} ${length} since ${since}${rest}`;
    case 'throttled':
      return `throttled${letters} ${length} since ${since}: off its runqueue until its next period, and from there to its run${rest}`;
    case 'new':
      return `forked at ${since}, not woken for ${formatDuration(clock, end - start)}`;
    case 'unborn':
      return 'not there yet';
    case 'dead':
      return `dead since ${since}`;
    case 'unknown':
      return `unknown ${length}: no event says what it does`;
  }
}

function runEnd({ letters, throttled, yielded }: TaskInterval): string {
  if (letters === null) return '';
  if (throttled) return `, then throttled (${letters})`;
  if (yielded) return `, then it yielded (${letters})`;
  const last = letters.startsWith('R') || letters.endsWith('+') ? 'switched out runnable' : ENDS[letters.charAt(0)];
  return `, then ${last ?? 'off the CPU'} (${letters})`;
}

const ENDS: Readonly<Record<string, string>> = {
  S: 'sleeping',
  I: 'sleeping',
  D: 'blocked',
  T: 'stopped',
  t: 'stopped',
  P: 'parked',
  X: 'dead',
  x: 'dead',
  Z: 'dead',
};
