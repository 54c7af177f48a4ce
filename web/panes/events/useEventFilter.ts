import { useMemo } from 'react';
import { type Ns, ns, type TimeWindow } from '../../base/units';
import { useObservable } from '../../components/useObservable';
import type { EventFilter, Summary } from '../../engine/protocol';
import { eventFilter } from '../../page/events/eventFilter';
import { usePage, useView } from '../context';
import { useRestingWindow } from '../useRestingWindow';

/**
 * The filter of the list: the user's choices, and the window and the selection that the list follows. Equal filters are
 * the same object.
 */
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

/** The window in whole ns. If it ends with the trace, it includes the last event, which lies on its edge. */
const wholeNs = ({ start, end }: TimeWindow, span: Ns): TimeWindow => ({
  start: ns(Math.round(start)),
  end: ns(end >= span ? span + 1 : Math.round(end)),
});
