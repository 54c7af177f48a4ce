/** Findings in the words of someone who works on the scheduler. */
import { formatCpuList } from '../../base/cpuList';
import { formatCount, formatDuration, plural } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Cpu, Finding, TaskName } from '../../engine/protocol';
import { taskName } from '../words';

/** With more CPUs than these, none is named. */
const MOST_CPUS = 8;
const MOST_STEPS = 10;

/** What happened, as one sentence without a full stop. */
export function findingInWords(finding: Finding, clock: TraceClock): string {
  const { kind, comm, tasks, cpus, count } = finding;
  const [first, second] = tasks;
  const who = first ? named(first) : comm;
  const lasted = formatDuration(clock, finding.end_ns - finding.start_ns);
  const onCpu = finding.run?.cpu ?? finding.cpu;
  switch (kind) {
    case 'overload':
      return `${crowd(who, count)} queued behind other tasks while ${idleCpus(cpus)}, for ${lasted}`;
    case 'wait':
      return `${who} waited ${lasted}${onCpu === null ? '' : ` for CPU ${onCpu}`}${
        second ? `, behind ${named(second)}` : ''
      }, while other CPUs were idle`;
    case 'gap':
      return `${comm}, busy otherwise, almost stopped for ${lasted} while its tasks waited${
        finding.slept_ns ? `; they slept for ${formatDuration(clock, finding.slept_ns)} more of what is missing` : ''
      }`;
    case 'moved_off_idle': {
      const [left, chosen] = cpus;
      return `A wakeup moved ${who} off its idle CPU ${left ?? finding.cpu}${
        chosen === undefined ? '' : ` to CPU ${chosen}`
      }`;
    }
    case 'cascade':
      return `Cascade of ${plural(count, 'move')}, ${count >= cpus.length ? 'at its longest ' : ''}${way(cpus)}`;
    case 'latency':
      return `${who} got ${onCpu === null ? 'a CPU' : `CPU ${onCpu}`} ${lasted} after its wakeup`;
    case 'kernel_preemption':
    case 'preemption':
      return preemptionInWords(finding, `${finding.cpu === null ? '' : ` on CPU ${finding.cpu}`}, for ${lasted}`);
    case 'call_wait':
      return `${who} waited ${lasted}${onCpu === null ? '' : ` for CPU ${onCpu}`} in ${finding.call ?? 'a call'}`;
    case 'call_blocked':
      return `${who} was blocked ${formatDuration(clock, finding.cost_ns)} in ${finding.call ?? 'a call'}, which took ${lasted}`;
  }
}

/** A task that left as `R` may have been preempted or not: then another ran next. */
function preemptionInWords({ comm, tasks: [, second], count, preempted }: Finding, where: string): string {
  const involuntary = preempted?.involuntary ?? 0;
  const times = plural(count, 'time');
  const other = second ? named(second) : 'a task';
  if (involuntary === count) {
    return `${comm} preempted others ${times}; longest ${other}${where}`;
  }
  const longest = preempted?.end_state.endsWith('+') ? 'from' : 'after';
  const some = involuntary === 0 ? '' : `, preempting ${formatCount(involuntary)} of them`;
  return `${comm} ran next after runnable tasks ${times}${some}; longest ${longest} ${other}${where}`;
}

/** The commands that a finding is about as a whole: they are highlighted when the user goes to it. */
export function commandsOf({ kind, comm, tasks }: Finding): readonly string[] {
  switch (kind) {
    case 'gap':
    case 'preemption':
      return [comm];
    case 'kernel_preemption':
      // Here `comm` is what the names of several threads have in common.
      return tasks.slice(0, 1).map((task) => task.comm);
    default:
      return [];
  }
}

/** Names the idle CPUs. At each moment one or more of these were idle: their number says nothing of any moment. */
function idleCpus(cpus: readonly Cpu[]): string {
  const sorted = [...cpus].sort((a, b) => a - b);
  if (sorted.length === 1) return `CPU ${sorted[0]} was idle`;
  return sorted.length === 0 || sorted.length > MOST_CPUS
    ? 'CPUs were idle'
    : `one or more of CPUs ${formatCpuList(sorted)} were idle`;
}

const named = ({ comm, pid }: TaskName): string => taskName(comm, pid);

const crowd = (first: string, count: number): string =>
  count > 1 ? `${first} and ${plural(count - 1, 'other')}` : first;

/** `0→96→99`, without the middle if there are many CPUs. */
function way(cpus: readonly Cpu[]): string {
  return cpus.length <= MOST_STEPS ? cpus.join('→') : [...cpus.slice(0, MOST_STEPS - 2), '…', cpus.at(-1)].join('→');
}
