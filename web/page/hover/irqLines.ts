/** What interrupts took, in words. Pure. */
import { formatCount, formatDuration, formatPercent, formatTime } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Ns } from '../../base/units';
import type { IrqPlace, IrqTime, Stolen } from '../../engine/protocol';
import type { IrqsHere } from '../../state/hover';
import { taskName } from '../words';

/** `hardirq 24 virtio0`, `vector local_timer`, `softirq TIMER`. */
export function handlerName({ kind, number, name }: Pick<IrqTime, 'kind' | 'number' | 'name'>): string {
  if (kind === 'hardirq') return `hardirq ${number}${name === '' ? '' : ` ${name}`}`;
  return `${kind} ${name === '' ? number : name}`;
}

/** How much of a time interrupts took. */
export const stolenNs = ({ hard_ns, soft_ns }: Pick<Stolen, 'hard_ns' | 'soft_ns'>): number => hard_ns + soft_ns;

/** Whom a handler interrupted. */
export const interruptedInWords = ({ pid, comm }: Pick<IrqPlace, 'pid' | 'comm'>): string =>
  pid === null ? 'no task: the CPU idled, or it is not known who ran' : taskName(comm ?? '', pid);

/** `softirq TIMER 12 times, 34 µs`. */
export const handlerInWords = (one: IrqTime, clock: Pick<TraceClock, 'isNs'>): string =>
  `${handlerName(one)}${one.count === 1 ? '' : ` ${formatCount(one.count)} times`}, ${formatDuration(clock, one.ns)}`;

/** `interrupts took 3.2 % of this: softirq TIMER 12 times, 34 µs; …` */
export function shareInWords({ stolen, window }: IrqsHere, clock: Pick<TraceClock, 'isNs'>): string {
  const share = formatPercent(Math.min(1, stolenNs(stolen) / Math.max(1, window.end - window.start)));
  const [first, second] = stolen.handlers;
  const told = [first, second].flatMap((one) => (one ? [handlerInWords(one, clock)] : []));
  const more = stolen.handlers.length > 2 ? `; ${formatCount(stolen.handlers.length - 2)} more` : '';
  return `interrupts took ${share} of this pixel: ${told.join('; ')}${more}`;
}

/** The lines of a card about the longest handler of a place. */
export function handlerLines(here: IrqsHere, place: IrqPlace, clock: TraceClock, origin: Ns): readonly string[] {
  const length = formatDuration(clock, place.end_ns - place.start_ns);
  const isOne = here.stolen.handlers.reduce((sum, { count }) => sum + count, 0) === 1;
  return [
    `${length} on CPU ${place.cpu}${isOne ? '' : ', the longest here'}`,
    `from ${formatTime(clock, place.start_ns, origin, 6)}`,
    `interrupted ${interruptedInWords(place)}`,
    ...(isOne ? [] : [shareInWords(here, clock)]),
  ];
}
