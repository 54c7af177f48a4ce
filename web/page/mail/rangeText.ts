/** A range as text for a mailing list: its numbers, its commands, its longest waits, and the events that prove the longest. Pure. */
import { exactDuration, formatCount, formatDuration, formatPercent, formatTime, plural } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Ns, TimeWindow } from '../../base/units';
import type { CommandRow, Summary, WaitInfo, WindowStats } from '../../engine/protocol';
import { traceFacts } from '../events/copyText';
import { taskName } from '../words';

export interface RangeFacts {
  readonly summary: Pick<Summary, 'name' | 'clock' | 'uname' | 'cpus'>;
  readonly clock: TraceClock;
  readonly origin: Ns;
  readonly window: TimeWindow;
  readonly stats: WindowStats;
  readonly commands: readonly CommandRow[];
  readonly waits: readonly WaitInfo[];
  /** The events of the first of `waits`, a line each; empty if they are not known. */
  readonly lines: string;
}

/** How many commands and waits are listed. */
export const LISTED = 8;
/** The most events that are copied. */
export const LINES = 60;
/** How many tasks are named that had the CPU. */
const TOOK = 3;

export function rangeText({ summary, clock, origin, window, stats, commands, waits, lines }: RangeFacts): string {
  const time = (at: Ns): string => formatTime(clock, at, origin);
  const long = (value: number): string => formatDuration(clock, value);
  const mean = ({ mean: average, max }: { readonly mean: number; readonly max: number }): string =>
    `${average.toFixed(2)} on average, at most ${max}`;
  const head = [
    `# ${traceFacts(summary).join(', ')}`,
    `# ${time(window.start)} to ${time(window.end)}: ${exactDuration(clock, window.end - window.start)} of ${plural(summary.cpus.length, 'CPU')}`,
    '',
    `running ${mean(stats.running)}; waiting ${mean(stats.waiting)}; utilisation ${formatPercent(stats.utilisation)}`,
    `for ${long(stats.behind_ns)} tasks queued behind others while CPUs were idle, ${long(stats.behind_cost_task_ns)} of task time lost`,
  ];
  const rows = commands.slice(0, LISTED).map((row) => ({
    comm: row.comm,
    cells: [long(row.execution_ns), long(row.waiting_ns), formatCount(row.switches_to)],
  }));
  const table = [
    '',
    line('command', ['ran', 'waited', 'switches to']),
    ...rows.map(({ comm, cells }) => line(comm, cells)),
    ...(commands.length > LISTED ? [`and ${plural(commands.length - LISTED, 'command')} more`] : []),
  ];
  const longest = waits.slice(0, LISTED).flatMap((wait) => {
    const took = wait.took.slice(0, TOOK).map(({ comm, pid, ran_ns: ran }) => `${taskName(comm, pid)} (${long(ran)})`);
    const others = wait.took_total > took.length ? ` and ${formatCount(wait.took_total - took.length)} more` : '';
    const by = took.length > 0 ? `; the CPU had ${took.join(', ')}${others}` : '';
    const spare = wait.behind_ns > 0 ? `; for ${long(wait.behind_ns)} some CPU was spare` : '';
    const how = { wakeup: 'woken', preempted: 'switched out runnable', replenished: 'replenished' }[wait.cause];
    const doubt = wait.uncertain ? ' (uncertain: records are missing)' : '';
    return [
      `${taskName(wait.comm, wait.pid)} waited ${long(wait.wait_ns)} from ${time(wait.since_ns)}, ${how}, then ran on CPU ${wait.cpu}${by}${spare}${doubt}`,
    ];
  });
  const isCut = lines.trimEnd().split('\n').length >= LINES;
  const events = `The ${isCut ? `first ${LINES} ` : ''}events of the longest wait, as trace-cmd report prints them:`;
  const proof = lines === '' ? [] : ['', events, '', lines.trimEnd()];
  return [...head, ...table, '', 'Longest waits:', ...(longest.length > 0 ? longest : ['none']), ...proof, ''].join(
    '\n',
  );
}

const line = (name: string, cells: readonly string[]): string =>
  name.padEnd(18) + cells.map((cell) => cell.padStart(13)).join('');
