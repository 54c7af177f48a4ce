import { type ReactNode, useMemo, useState } from 'react';
import { formatCount } from '../../base/format';
import { Popover } from '../../components/Popover';
import type { EventName } from '../../engine/protocol';
import { MAX_EVENT_NAMES } from '../../state/events';
import { usePage } from '../context';
import { CheckList, Picker } from '../Picker';
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
      <Picker
        label="Find a kind of event"
        placeholder="Type to find…"
        typed={typed}
        onType={setTyped}
        onEnter={() => {
          const [first] = shown;
          if (!first || typed.trim() === '') return;
          toggle(first.name);
          setTyped('');
        }}
        beside={
          <button type="button" className="button small" disabled={names.length === 0} onClick={() => onChange([])}>
            All
          </button>
        }
      >
        <CheckList
          choices={shown.map(({ name, count }) => ({ name, note: formatCount(count) }))}
          chosen={names}
          isFull={names.length >= MAX_EVENT_NAMES}
          onToggle={toggle}
          none={query.error?.what ?? (query.pending ? 'Counting…' : 'No event of the trace is named so.')}
        />
      </Picker>
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
