import type { TimeWindow } from '../base/units';
import type { Summary } from '../engine/protocol';
import type { SPANS } from '../state/latency';
import { timeOrigin } from '../state/viewState';
import { usePage, useView } from './context';
import { useRestingWindow } from './useRestingWindow';

type Span = (typeof SPANS)[number];

export const spanText = (span: Span, hasRange: boolean): string =>
  span === 'trace' ? 'Whole trace' : hasRange ? 'Range' : 'Window';

/** The time that a pane is about; null: the whole trace. */
export function useSpan(span: Span, summary: Summary): TimeWindow | null {
  const { store } = usePage();
  const resting = useRestingWindow();
  const range = useView((state) => state.range);
  const start = useView((state) => timeOrigin(state, store.getLimits()));
  if (span === 'window') {
    return range ?? resting;
  }
  return start > 0 ? { start, end: summary.span } : null;
}
