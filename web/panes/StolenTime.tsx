import type { ReactNode } from 'react';
import { exactDuration, formatPercent } from '../base/format';
import type { TraceClock } from '../base/traceTime';
import type { Interval } from '../engine/protocol';
import { openEvent } from '../page/events/openEvent';
import { handlerInWords, handlerName, interruptedInWords, stolenNs } from '../page/hover/irqLines';
import { hasInterrupts } from '../state/calls';
import { usePage } from './context';
import { useQuery } from './useQuery';

/** How many handlers are named. */
const MOST = 6;

/** What interrupts took of an interval of a CPU; null where the trace has no events of interrupts, and until it is known. */
export function useStolenTime(interval: Interval | null, clock: TraceClock): ReactNode {
  const page = usePage();
  const facts = useQuery(page.engine, 'selection/callFacts', { type: 'call_facts' }).answer;
  const recorded = hasInterrupts(facts);
  const asked = recorded && interval !== null && interval.kind !== 'unknown' ? interval : null;
  const stolen = useQuery(
    page.engine,
    'selection/stolen',
    asked && { type: 'stolen', of: 'cpu', key: asked.cpu, window: { start: asked.start, end: asked.end } },
  ).answer?.stolen;
  if (!facts || !asked || !stolen) return null;
  const missing = [
    ...(facts.hardirqs ? [] : ['irq_handler']),
    ...(facts.softirqs ? [] : ['softirq']),
    ...(facts.vectors ? [] : ['irq_vectors']),
  ];
  const { longest, handlers } = stolen;
  const share = formatPercent(stolenNs(stolen) / Math.max(1, asked.end - asked.start));
  const go = (): void => {
    if (longest) void openEvent(page, { cpu: longest.cpu, at: longest.start_ns, pid: longest.pid ?? 0 }, true);
  };
  return (
    <>
      {handlers.length === 0
        ? 'none here'
        : `${exactDuration(clock, stolenNs(stolen))} (${share}): ${handlers
            .slice(0, MOST)
            .map((one) => handlerInWords(one, clock))
            .join('; ')}${handlers.length > MOST ? `; ${handlers.length - MOST} more` : ''}`}
      {longest && (
        <>
          {'. '}
          <button
            type="button"
            className="link"
            title={`Go to the event: ${handlerName(longest)}, which interrupted ${interruptedInWords(longest)}`}
            onClick={go}
          >
            Longest: {exactDuration(clock, longest.end_ns - longest.start_ns)}
          </button>
        </>
      )}
      {missing.length > 0 && <span className="muted"> (not recorded: {missing.join(', ')})</span>}
    </>
  );
}
