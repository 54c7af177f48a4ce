import { type ReactNode, useMemo, useState } from 'react';
import { formatCount } from '../../base/format';
import { Popover } from '../../components/Popover';
import type { EventName } from '../../engine/protocol';
import { MAX_EVENT_NAMES } from '../../state/events';
import { usePage } from '../context';
import { useQuery } from '../useQuery';

interface EventNamesMenuProps {
  /** The names that are listed; empty: all. */
  readonly names: readonly string[];
  readonly onChange: (names: readonly string[]) => void;
}

/** Chooses the kinds of events that are listed, from those of the trace with their counts. */
export function EventNamesMenu({ names, onChange }: EventNamesMenuProps): ReactNode {
  const { engine } = usePage();
  const query = useQuery(engine, 'events/names', { type: 'event_names' });
  const [typed, setTyped] = useState('');
  const known = query.answer?.names;
  const all = useMemo(() => (known ? choices(known) : []), [known]);
  const shown = all.filter(({ name }) => name.toLowerCase().includes(typed.trim().toLowerCase()));
  const toggle = (name: string): void =>
    onChange(names.includes(name) ? names.filter((other) => other !== name) : [...names, name]);
  const title = names.length === 0 ? 'Which kinds of events are listed' : names.join(', ');
  return (
    <Popover
      text={
        names.length === 0 ? 'All events' : names.length === 1 ? names[0] : `${names.length} of ${all.length} events`
      }
      title={title}
      label="Which kinds of events are listed"
      isOn={names.length > 0}
      onOpen={() => setTyped('')}
    >
      <div className="menu-head">
        <input
          className="field small"
          aria-label="Find a kind of event"
          placeholder="Type to find…"
          spellCheck={false}
          data-focus
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            const [first] = shown;
            if (event.key === 'Enter' && first && typed.trim() !== '') {
              toggle(first.name);
              setTyped('');
            }
          }}
        />
        <button type="button" className="button small" disabled={names.length === 0} onClick={() => onChange([])}>
          All
        </button>
      </div>
      <ul className="menu-list">
        {shown.map(({ name, count }) => (
          <li key={name}>
            <label className="menu-choice">
              <input
                type="checkbox"
                checked={names.includes(name)}
                disabled={names.length >= MAX_EVENT_NAMES && !names.includes(name)}
                onChange={() => toggle(name)}
              />
              <span className="menu-name">{name}</span>
              <span className="muted">{formatCount(count)}</span>
            </label>
          </li>
        ))}
        {shown.length === 0 && (
          <li className="hint">
            {query.error?.what ?? (query.pending ? 'Counting…' : 'No event of the trace is named so.')}
          </li>
        )}
      </ul>
    </Popover>
  );
}

/** The choices, the most frequent first. A name that several systems use is shown with its system. */
function choices(known: readonly EventName[]): { readonly name: string; readonly count: number }[] {
  const times = new Map<string, number>();
  for (const { name } of known) {
    times.set(name, (times.get(name) ?? 0) + 1);
  }
  return known
    .map(({ name, system, count }) => ({ name: (times.get(name) ?? 0) > 1 ? `${system}:${name}` : name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}
