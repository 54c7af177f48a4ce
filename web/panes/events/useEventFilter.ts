import { useMemo } from 'react';
import { type Ns, ns, type TimeWindow } from '../../base/units';
import { useObservable } from '../../components/useObservable';
import type { EventFilter, Summary } from '../../engine/protocol';
import { eventFilter } from '../../page/events/eventFilter';
import { usePage, useView } from '../context';
import { useRestingWindow } from '../useRestingWindow';

/** What the list is asked for: what was chosen, and the window and the selection that it follows. The same object for the same filter. */
export function useEventFilter(summary: Summary): EventFilter {
  const events = useView((view) => view.events);
  const selection = useView((view) => view.selection);
  const isWhole = useView((view) => view.window === null && !view.afterSleep);
  const resting = useRestingWindow();
  const { interval: run } = useObservable(usePage().selected);
  const filter = eventFilter(events, summary, {
    window: isWhole ? null : wholeNs(resting, summary.span),
    cpu: selection?.cpu ?? null,
    pid: run?.kind === 'run' && run.cpu === selection?.cpu ? (run.pid ?? null) : null,
  });
  const text = JSON.stringify(filter);
  return useMemo(() => JSON.parse(text) as EventFilter, [text]);
}

/** The last event is on the edge of a window that ends with the trace: it is in it. */
const wholeNs = ({ start, end }: TimeWindow, span: Ns): TimeWindow => ({
  start: ns(Math.round(start)),
  end: ns(end >= span ? span + 1 : Math.round(end)),
});
