import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { EventRow } from '../../engine/protocol';
import { firstLine } from '../../page/events/rowTexts';

/**
 * The whole text of the current row where the row cannot show it: stacks have many lines, and some lines are long.
 * `onRoom`: called when it may have taken room from the rows, or given some back.
 */
export function EventText({ row, onRoom }: { readonly row: EventRow; readonly onRoom: () => void }): ReactNode {
  const [isCut, setCut] = useState(false);
  const anchor = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another row may fit.
  useLayoutEffect(() => {
    const cell = anchor.current?.parentElement?.querySelector('.events-row.active .text');
    // While the row is out of sight, what was found when it was visible still holds.
    if (cell) {
      setCut(cell.scrollWidth > cell.clientWidth);
    }
  }, [row]);
  const isShown = isCut || firstLine(row.text).hasMore;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another row takes another room.
  useLayoutEffect(onRoom, [isShown, row]);
  return (
    <section ref={anchor} className="events-text" aria-label="Text of the current event" hidden={!isShown}>
      {row.text.trimEnd()}
    </section>
  );
}
