import { type ReactNode, useEffect, useMemo } from 'react';
import { formatCount, formatPercent, plural } from '../../base/format';
import { useObservable } from '../../components/useObservable';
import { hitsOf } from '../../facts/hits';
import { stepHit } from '../../page/hits/stepHit';
import { samePlace } from '../../state/events';
import { usePage, useView } from '../context';
import { FilterText } from '../events/FilterText';
import { FILTER_ID } from './ids';
import './hits.css';

/** Chooses which events are marked on the lanes, says how many there are, and walks through them. */
export function FilterBox(): ReactNode {
  const page = usePage();
  const { engine, store } = page;
  const filter = useView((view) => view.filter);
  const topology = useView((view) => view.topology.text);
  const hits = useMemo(() => hitsOf(engine), [engine]);
  const { total, share, complete, error } = useObservable(hits.state);
  const runs = useObservable(engine.passing);
  useEffect(() => hits.want(filter, topology), [hits, filter, topology]);
  const change = (text: string): void => store.dispatch({ type: 'filter', filter: text, typing: true });
  return (
    <search className={filter === '' ? 'filter-box' : 'filter-box has-text'} aria-label="Filter">
      <FilterText
        name="hits"
        label="Filter"
        inputId={FILTER_ID}
        text={filter}
        onChange={change}
        onEnter={(shift) => void stepHit(page, shift ? -1 : 1)}
      />
      {filter.trim() !== '' && (
        <>
          <output
            className="nowrap filter-count"
            title="Events that pass, marked on the lanes and on the overview, and the runs that they stand for: other runs are dimmed, and left out of curves, tables and findings"
          >
            {typeof error === 'string'
              ? error
              : error === null && (
                  <>
                    <Count total={total} share={complete ? null : share} />
                    {complete && runs !== null && <span className="muted"> in {plural(runs, 'run')}</span>}
                  </>
                )}
          </output>
          <button
            type="button"
            className="button small"
            title="Previous event that passes (Shift+H, or Shift+Enter in the field)"
            aria-label="Previous event that passes the filter"
            disabled={total === 0}
            onClick={() => void stepHit(page, -1)}
          >
            ◂
          </button>
          <button
            type="button"
            className="button small"
            title="Next event that passes (H, or Enter in the field)"
            aria-label="Next event that passes the filter"
            disabled={total === 0}
            onClick={() => void stepHit(page, 1)}
          >
            ▸
          </button>
          <button
            type="button"
            className="link nowrap"
            title="Open the list of events with this filter"
            onClick={() => store.dispatch({ type: 'events', change: { open: true, text: filter } })}
          >
            List
          </button>
          <button
            type="button"
            className="link nowrap"
            aria-label="Clear the filter"
            onClick={() => {
              store.dispatch({ type: 'filter', filter: '' });
              // The button goes away.
              document.getElementById(FILTER_ID)?.focus();
            }}
          >
            Clear
          </button>
        </>
      )}
    </search>
  );
}

/** How many events pass, and which of them is the current one. */
function Count({ total, share }: { readonly total: number; readonly share: number | null }): ReactNode {
  const { engine } = usePage();
  const current = useObservable(hitsOf(engine).current);
  const isShown = useView((view) => current !== null && samePlace(view.event, current));
  const number = current !== null && isShown ? `${formatCount(current.number + 1)} of ` : '';
  return (
    <>
      {number}
      {plural(total, 'event')}
      {share !== null && <span className="muted"> ({formatPercent(share)} searched)</span>}
    </>
  );
}
