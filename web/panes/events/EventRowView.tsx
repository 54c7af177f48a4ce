// biome-ignore-all lint/a11y/useSemanticElements: see the grid.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row.
import { memo, type ReactNode } from 'react';
import type { TraceClock } from '../../base/traceTime';
import type { Ns } from '../../base/units';
import type { EventRow } from '../../engine/protocol';
import { cutAtHits, firstLine, lostText, sinceText, taskText, timeText } from '../../page/events/rowTexts';

interface EventRowViewProps {
  readonly id: string;
  readonly index: number;
  /** undefined: it has not arrived yet. */
  readonly row: EventRow | undefined;
  /** The time of the row before. */
  readonly before: Ns | null;
  readonly clock: TraceClock;
  readonly origin: Ns;
  readonly absoluteTime: boolean;
  /** null: idle. */
  readonly swatch: string | null;
  readonly hit: string;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly isMarked: boolean;
}

/** One event, or the place of an event that has not arrived yet. */
export const EventRowView = memo(function EventRowView(props: EventRowViewProps): ReactNode {
  const { row, index, clock, hit, isActive, isMarked } = props;
  if (!row) {
    return (
      <div id={props.id} className="events-row awaited" role="row" aria-rowindex={index + 2} data-row={index}>
        <div role="gridcell" />
      </div>
    );
  }
  const lost = lostText(row.lost);
  const { line, hasMore } = firstLine(row.text);
  const names = ['events-row', isActive && 'active', lost && 'after-loss', isMarked && 'marked'];
  return (
    <div
      id={props.id}
      className={names.filter(Boolean).join(' ')}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={props.isSelected}
      data-row={index}
    >
      <div role="gridcell" className="numeric">
        {timeText(clock, row.at, props.origin, props.absoluteTime)}
      </div>
      <div role="gridcell" className="numeric since">
        {sinceText(clock, row.at, props.before)}
      </div>
      <div role="gridcell" className="numeric">
        {row.cpu}
      </div>
      <div role="gridcell" className="task">
        <span
          className={props.swatch === null ? 'swatch idle' : 'swatch'}
          style={props.swatch === null ? undefined : { background: props.swatch }}
        />
        <Hits text={taskText(row)} hit={hit} />
      </div>
      <div role="gridcell">
        <Hits text={row.event} hit={hit} />
      </div>
      <div role="gridcell" className="text">
        {lost && <span className="badge">{lost}</span>}
        <Hits text={line} hit={hit} />
        {hasMore && <span className="muted"> …</span>}
      </div>
      <div role="gridcell">
        <button
          type="button"
          className="pin"
          tabIndex={-1}
          aria-label={isMarked ? 'Marked on the lanes: edit the note' : 'Mark this event on the lanes'}
          title={isMarked ? 'Marked on the lanes: edit the note (M)' : 'Mark this event on the lanes (M)'}
        >
          <Flag isFilled={isMarked} />
        </button>
      </div>
    </div>
  );
});

function Hits({ text, hit }: { readonly text: string; readonly hit: string }): ReactNode {
  const parts = cutAtHits(text, hit);
  // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity, and no state.
  return parts.length === 1 ? text : parts.map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part));
}

function Flag({ isFilled }: { readonly isFilled: boolean }): ReactNode {
  return (
    <svg width="11" height="12" viewBox="0 0 11 12" aria-hidden="true">
      <path d="M2 1v10.5" stroke="currentColor" strokeWidth="1.4" />
      <path d="M2.7 1.4h7l-2 2.3 2 2.3h-7z" fill={isFilled ? 'currentColor' : 'none'} stroke="currentColor" />
    </svg>
  );
}
