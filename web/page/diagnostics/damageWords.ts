/** Says in a sentence what is missing from a trace. Pure. */
import { formatCpuList } from '../../base/cpuList';
import { formatPercent, formatTime } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Ns } from '../../base/units';
import type { Cpu, Damage } from '../../engine/protocol';

/** The most CPUs that are named with the time at which their records end. */
const MOST_ENDS = 3;

/** As in `The file is cut off: CPUs 4-7 have no data, CPU 3 ends at 2.507 s.` */
export function damageInWords(damage: Damage, clock: TraceClock, origin: Ns): string {
  const { cut, unknown_share: unknownShare, cpus, without_data: withoutData, ends } = damage;
  const parts: string[] = [];
  if (!cut) {
    parts.push(`${formatPercent(unknownShare)} of all CPU time is unknown, on ${named(cpus)}`);
  }
  if (withoutData.length > 0) {
    parts.push(`${named(withoutData)} ${withoutData.length === 1 ? 'has' : 'have'} no data`);
  }
  const time = (at: Ns): string => formatTime(clock, at, origin, 3);
  const [first] = [...ends].sort((a, b) => a.at_ns - b.at_ns);
  if (ends.length <= MOST_ENDS) {
    parts.push(...ends.map(({ cpu, at_ns: atNs }) => `CPU ${cpu} ends at ${time(atNs)}`));
  } else if (first) {
    parts.push(`${named(ends.map(({ cpu }) => cpu))} end early, the first at ${time(first.at_ns)}`);
  }
  if (parts.length === 0) {
    parts.push('no CPU is known to lack events');
  }
  return `${cut ? 'The file is cut off' : 'Many events are missing'}: ${parts.join(', ')}.`;
}

const named = (cpus: readonly Cpu[]): string => `${cpus.length === 1 ? 'CPU' : 'CPUs'} ${formatCpuList(cpus)}`;
