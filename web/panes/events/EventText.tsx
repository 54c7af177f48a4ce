import type { ReactNode } from 'react';
import type { EventRow } from '../../engine/protocol';

/** The whole text of the current row, to be read and selected: stacks have many lines, and some lines are long. */
export function EventText({ row }: { readonly row: EventRow }): ReactNode {
  return (
    <section className="events-text" aria-label="Text of the current event">
      <span className="muted">{row.event}</span> {row.text.trimEnd()}
    </section>
  );
}
