import type { ReactNode } from 'react';
import { exactDuration, formatTime } from '../base/format';
import type { TraceClock } from '../base/traceTime';
import { type Ns, ns } from '../base/units';
import type { Page } from '../page/page';
import { markDistance, TIME_MARKS } from '../state/marks';
import { visibleWindow } from '../state/viewState';
import { usePage, useView } from './context';
import { useOrigin } from './useOrigin';
import './timeMarks.css';

/** The times of the marks A and B and their distance, with all digits. */
export function TimeMarksText({ clock }: { readonly clock: TraceClock }): ReactNode {
  const page = usePage();
  const marks = useView((view) => view.timeMarks);
  const origin = useOrigin();
  const distance = markDistance(marks);
  if (marks.a === null && marks.b === null) {
    return null;
  }
  const range = (): void => {
    if (marks.a !== null && marks.b !== null) {
      page.store.dispatch({ type: 'range', range: { start: marks.a, end: marks.b } });
    }
  };
  return (
    <section className="time-marks" aria-label="Marks A and B">
      {TIME_MARKS.map((name) => {
        const at = marks[name];
        const letter = name.toUpperCase();
        return at === null ? null : (
          <span key={name} className="time-mark">
            <button type="button" className="link" title={`Go to mark ${letter}`} onClick={() => show(page, at)}>
              {letter}
            </button>{' '}
            <span className="time-mark-at">{formatTime(clock, at, origin)}</span>
            <button
              type="button"
              className="button small quiet"
              aria-label={`Remove mark ${letter}`}
              title={`Remove mark ${letter}`}
              onClick={() => page.store.dispatch({ type: 'timeMark', name, at: null })}
            >
              ✕
            </button>
          </span>
        );
      })}
      {distance !== null && (
        <span className="time-mark">
          <span className="muted">B − A</span> <strong>{exactDuration(clock, distance)}</strong>
          <button
            type="button"
            className="button small quiet"
            disabled={distance === 0}
            title="Make the time between A and B the range, whose statistics are shown"
            onClick={range}
          >
            Range
          </button>
        </span>
      )}
    </section>
  );
}

/** Shows an instant without changing the zoom. */
function show({ store }: Page, at: Ns): void {
  const { start, end } = visibleWindow(store.getState(), store.getLimits());
  if (at < start || at > end) {
    const half = (end - start) / 2;
    store.dispatch({ type: 'showWindow', window: { start: ns(at - half), end: ns(at + half) } });
  }
}
