// biome-ignore-all lint/a11y/useSemanticElements: the head of a grid whose rows out of sight are not in the document.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row.
import type { ReactNode } from 'react';

interface EventsHeadProps {
  readonly isNs: boolean;
  readonly absoluteTime: boolean;
  readonly onTimeFormat: () => void;
}

/** The names of the columns; a click on that of the times changes how they are counted. */
export function EventsHead({ isNs, absoluteTime, onTimeFormat }: EventsHeadProps): ReactNode {
  return (
    <div className="events-head events-row" role="row" aria-rowindex={1}>
      <div role="columnheader" className="numeric">
        <button
          type="button"
          title={
            absoluteTime
              ? 'Absolute trace time, as trace-cmd prints it. Click: from time 0 of the axis'
              : 'From time 0 of the axis. Click: absolute trace time, as trace-cmd prints it'
          }
          onClick={onTimeFormat}
        >
          {absoluteTime ? 'Trace time' : 'Time'}, {isNs ? 's' : 'ticks'}
        </button>
      </div>
      <div role="columnheader" className="numeric" title="Time since the row before">
        Since last
      </div>
      <div role="columnheader" className="numeric">
        CPU
      </div>
      <div role="columnheader" title="The task that the event happened in">
        Task
      </div>
      <div role="columnheader">Event</div>
      <div role="columnheader">Text</div>
      <div role="columnheader">
        <span className="visually-hidden">Mark</span>
      </div>
    </div>
  );
}
