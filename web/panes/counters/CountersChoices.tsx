import { type ReactNode, useState } from 'react';
import { counterName, counterText } from '../../state/counter';
import { usePage, useView } from '../context';
import { Picker } from '../Picker';
import { useQuery } from '../useQuery';

/** Counters that people mean most often: they come first. */
const FIRST = ['power:cpu_frequency:state', 'power:cpu_idle:state'];
const MOST = 200;

/** The numbers in the events of the trace, each of which can be the counter. */
export function CountersChoices({ close }: { readonly close: () => void }): ReactNode {
  const { engine, store } = usePage();
  const counter = useView((view) => view.counter);
  const [typed, setTyped] = useState('');
  const { answer, error } = useQuery(engine, 'counters', { type: 'event_numbers' });
  const all = (answer?.numbers ?? []).map(counterText);
  const known = [...FIRST.filter((text) => all.includes(text)), ...all.filter((text) => !FIRST.includes(text))];
  const words = typed
    .toLowerCase()
    .split(/[\s:]+/)
    .filter(Boolean);
  const found = known.filter((text) => words.every((word) => text.includes(word)));
  const choose = (text: string): void => {
    close();
    store.dispatch({ type: 'counter', counter: text });
  };
  return (
    <Picker
      label="Event or field"
      placeholder="Event or field"
      typed={typed}
      onType={setTyped}
      onEnter={() => {
        const [first] = found;
        if (first !== undefined) choose(first);
      }}
      beside={
        counter !== '' && (
          <button type="button" className="button small" onClick={() => choose('')}>
            None
          </button>
        )
      }
    >
      {error !== null && <p className="hint">{error.what}</p>}
      {answer !== null && found.length === 0 && <p className="hint">No event of the trace has such a number.</p>}
      <div className="tasks-choices">
        {found.slice(0, MOST).map((text) => (
          <button
            key={text}
            type="button"
            className="tasks-choice"
            aria-pressed={text === counter}
            onClick={() => choose(text)}
          >
            {counterName(text)}
          </button>
        ))}
      </div>
      {found.length > MOST && <p className="hint">{found.length - MOST} more: type a part of a name.</p>}
    </Picker>
  );
}
