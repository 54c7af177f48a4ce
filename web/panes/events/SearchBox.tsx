import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { formatCount, formatPercent } from '../../base/format';
import type { EngineClient } from '../../engine/client';
import type { EventList } from '../../page/events/eventList';
import { usePage } from '../context';
import { SEARCH_ID } from './ids';
import type { GridControls } from './useGridControls';

const MAX_TEXT = 200;

interface SearchBoxProps {
  readonly list: EventList;
  readonly controls: RefObject<GridControls | null>;
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** Finds lines: Enter goes to the next one, Shift+Enter to the one before. */
export function SearchBox({ list, controls, text, onText }: SearchBoxProps): ReactNode {
  const page = usePage();
  const [notice, setNotice] = useState('');
  const [isSearching, setSearching] = useState(false);
  const progress = useSearchProgress(page.engine, isSearching);

  // Key presses that have no hit yet: each continues from the hit of the one before.
  const steps = useRef<(-1 | 1)[]>([]);

  const find = async (direction: -1 | 1): Promise<void> => {
    if (text === '' || !controls.current) {
      return;
    }
    const queue = steps.current;
    queue.push(direction);
    if (queue.length > 1) {
      return;
    }
    setSearching(true);
    let from = controls.current.searchFrom(direction);
    for (let step = queue[0]; step !== undefined; step = queue[0]) {
      const found = await list.search(text, from, step);
      if (found === 'superseded') {
        queue.length = 0;
        return;
      }
      queue.shift();
      const words = found === null ? `No line holds “${text}”` : hitInWords(found, step);
      setNotice(words);
      page.announce(`${words}.`);
      if (found) {
        controls.current?.goTo(found.row);
        from = found.row;
      }
    }
    setSearching(false);
  };
  const cancel = (): void => {
    list.cancelSearch();
    steps.current = [];
    setSearching(false);
    setNotice('');
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      event.preventDefault();
      void find(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape') {
      // Esc ends or clears the search first; the list and the selection stay as they are.
      event.stopPropagation();
      if (isSearching) {
        cancel();
      } else if (text !== '') {
        onText('');
        setNotice('');
      } else {
        controls.current?.focus();
      }
    }
  };
  return (
    <search className="events-search">
      <input
        id={SEARCH_ID}
        className="field small"
        aria-label="Search in the list"
        placeholder="Search  /"
        title="Enter: next line that holds it. Shift+Enter: the one before. (/ or Ctrl+F)"
        size={16}
        maxLength={MAX_TEXT}
        spellCheck={false}
        value={text}
        onChange={(event) => {
          if (isSearching) {
            cancel();
          }
          setNotice('');
          onText(event.target.value);
        }}
        onKeyDown={press}
      />
      <button
        type="button"
        className="button small"
        title="Previous hit (Shift+Enter)"
        aria-label="Previous hit"
        disabled={text === ''}
        onClick={() => void find(-1)}
      >
        ▴
      </button>
      <button
        type="button"
        className="button small"
        title="Next hit (Enter)"
        aria-label="Next hit"
        disabled={text === ''}
        onClick={() => void find(1)}
      >
        ▾
      </button>
      {progress !== null ? (
        <>
          <span className="muted nowrap">{formatPercent(progress)}</span>
          <button type="button" className="link" onClick={cancel}>
            Cancel
          </button>
        </>
      ) : (
        notice !== '' && <span className="muted search-notice">{notice}</span>
      )}
    </search>
  );
}

function hitInWords(found: { readonly row: number; readonly wrapped: boolean }, direction: -1 | 1): string {
  const end = direction > 0 ? ', from the top again' : ', from the bottom again';
  return `Row ${formatCount(found.row + 1)}${found.wrapped ? end : ''}`;
}

/** What share of the trace a search has looked at; null unless a search takes long. */
function useSearchProgress(engine: EngineClient, isSearching: boolean): number | null {
  const [share, setShare] = useState<number | null>(null);
  useEffect(() => {
    if (!isSearching) {
      setShare(null);
      return;
    }
    return engine.onEventProgress(({ of, done, all }) => {
      if (of === 'search') {
        setShare(done / Math.max(1, all));
      }
    });
  }, [engine, isSearching]);
  return isSearching ? share : null;
}
