import { type ReactNode, useEffect, useRef } from 'react';
import type { TraceClock } from '../../base/traceTime';
import type { Ns } from '../../base/units';
import { Popover } from '../../components/Popover';
import { useObservable } from '../../components/useObservable';
import { timeText } from '../../page/events/rowTexts';
import { type EventMark, type EventPlace, MAX_NOTE } from '../../state/events';
import { usePage, useView } from '../context';

interface MarksMenuProps {
  readonly clock: TraceClock;
  readonly origin: Ns;
  readonly absoluteTime: boolean;
}

const nameOf = ({ cpu, at }: EventPlace): string => `${cpu}@${at}`;

/** The events that are marked on the lanes: a menu to edit their notes, go to them and remove them. */
export function MarksMenu({ clock, origin, absoluteTime }: MarksMenuProps): ReactNode {
  const page = usePage();
  const marks = useView((view) => view.marks);
  const noting = useObservable(page.noting);
  const box = useRef<HTMLDivElement>(null);

  // A new mark asks for its note.
  useEffect(() => {
    if (!noting) {
      return;
    }
    page.noting.set(null);
    box.current?.showPopover();
    const field = box.current?.querySelector<HTMLInputElement>(`[data-mark="${nameOf(noting)}"]`);
    field?.focus();
    field?.select();
  }, [noting, page]);

  return (
    <Popover
      text={marks.length === 0 ? 'Marks' : `Marks ${marks.length}`}
      title="Events that are marked on the lanes (M marks the current one)"
      label="Marked events"
      isOn={marks.length > 0}
      box={box}
    >
      {marks.length === 0 && (
        <p className="hint">
          Press <kbd>M</kbd> on an event, or click its flag, to mark it on the lanes. Marks and their notes are in the
          URL.
        </p>
      )}
      <ul className="menu-list">
        {marks.map((mark) => (
          <MarkEntry
            key={nameOf(mark)}
            mark={mark}
            time={timeText(clock, mark.at, origin, absoluteTime)}
            close={() => box.current?.hidePopover()}
          />
        ))}
      </ul>
    </Popover>
  );
}

interface MarkEntryProps {
  readonly mark: EventMark;
  readonly time: string;
  readonly close: () => void;
}

function MarkEntry({ mark, time, close }: MarkEntryProps): ReactNode {
  const { store } = usePage();
  return (
    <li className="mark-entry">
      <button
        type="button"
        className="link"
        title="Go there"
        onClick={() =>
          store.dispatch({ type: 'showEvent', event: { cpu: mark.cpu, at: mark.at }, selection: undefined })
        }
      >
        {time}
      </button>
      <span className="muted nowrap">CPU {mark.cpu}</span>
      <input
        className="field small"
        data-mark={nameOf(mark)}
        aria-label={`Note on the event at ${time} on CPU ${mark.cpu}`}
        placeholder="Note"
        maxLength={MAX_NOTE}
        value={mark.note}
        onChange={(event) => store.dispatch({ type: 'note', mark: { ...mark, note: event.target.value } })}
        onKeyDown={(event) => event.key === 'Enter' && close()}
      />
      <button
        type="button"
        className="button small quiet"
        aria-label={`Remove the mark at ${time}`}
        title="Remove this mark"
        onClick={() => store.dispatch({ type: 'unmark', place: mark })}
      >
        ✕
      </button>
    </li>
  );
}
