import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { formatCount, plural } from '../../base/format';
import { scrollWithin } from '../../components/scrollWithin';
import { useObservable } from '../../components/useObservable';
import type { Summary } from '../../engine/protocol';
import { keyOf } from '../../page/findings/findingsList';
import { indexShown } from '../../page/findings/stepFinding';
import { clockOf } from '../../state/traces';
import { usePage, useView } from '../context';
import { useOrigin } from '../useOrigin';
import { FindingRow } from './FindingRow';
import { FindingsHead } from './FindingsHead';
import type { FindingsList } from './useFindings';
import './findings.css';

interface FindingsPaneProps {
  readonly summary: Summary;
  readonly list: FindingsList;
}

/** The findings, ranked; each row leads to its place. */
export function FindingsPane({ summary, list }: FindingsPaneProps): ReactNode {
  const page = usePage();
  const { cascade } = useObservable(page.selected);
  const origin = useOrigin();
  const clock = useMemo(() => clockOf(summary), [summary]);
  const { rows } = list;
  // What the filter leaves nothing of is not free of findings: the note above the list says so.
  const nonePasses = useObservable(page.engine.passing) === 0;
  const current = useView(() => indexShown(page, rows));
  const items = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const row = items.current?.children[current];
    // The panel alone: in a narrow window the page would scroll past the lanes, too.
    const panel = row?.closest('.tab-panel');
    if (row && panel) scrollWithin(panel, row);
  }, [current]);
  // Only a search for everything can say that there is nothing.
  const choice = useView((view) => view.findings);
  const isWhole = choice.kinds.length === 0 && choice.within === null && !choice.movable;
  const nothingFound = isWhole
    ? 'Nothing was found: no task waited while a CPU idled, and none came late.'
    : 'No finding fits the choices above.';
  const most = rows.reduce((cost, row) => Math.max(cost, row.cost_ns), 0);
  return (
    <div className="findings" aria-busy={list.pending}>
      <FindingsHead list={list} current={current} clock={clock} />
      {list.progress !== null && (
        <progress className="findings-progress" max={1} value={list.progress} aria-label="Looking for findings" />
      )}
      <ol ref={items} className="findings-list" aria-label="Findings" onKeyDown={moveFocus}>
        {rows.map((finding, index) => (
          <FindingRow
            key={keyOf(finding)}
            finding={finding}
            place={index + 1}
            share={finding.cost_ns / most}
            isCurrent={index === current}
            isTabStop={index === Math.max(0, current)}
            cascade={cascade}
            clock={clock}
            origin={origin}
          />
        ))}
      </ol>
      {list.error && <p className="hint">{list.error}</p>}
      {rows.length === 0 && !nonePasses && list.progress === null && !list.pending && !list.error && (
        <p className="hint">{nothingFound}</p>
      )}
      {list.more && (
        <button type="button" className="button small findings-more" onClick={list.more}>
          Show more
          {list.overload && <span className="muted"> of {plural(list.overload.behind_count, 'interval')}</span>}
        </button>
      )}
      <p className="visually-hidden" role="status">
        {list.progress === null && !list.pending ? `${formatCount(rows.length)} findings are listed.` : ''}
      </p>
    </div>
  );
}

/** Moves the focus between rows with the arrow keys. */
function moveFocus(event: KeyboardEvent<HTMLOListElement>): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('.finding')];
  const index = rows.indexOf(event.target as HTMLElement);
  const next = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: rows.length - 1 }[event.key];
  if (index < 0 || next === undefined || event.altKey || event.ctrlKey || event.metaKey) {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
  rows[next]?.focus();
}
