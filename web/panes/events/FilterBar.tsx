import { type ReactNode, useEffect, useState } from 'react';
import { formatCpuList, parseCpuList } from '../../base/cpuList';
import { Toggle } from '../../components/Toggle';
import { type FollowSelection, isFiltered, MAX_FILTER_TEXT, unfiltered } from '../../state/events';
import { usePage, useView } from '../context';
import { EventNamesMenu } from './EventNamesMenu';
import { FilterText } from './FilterText';

/** Chooses the events that the list shows. */
export function FilterBar(): ReactNode {
  const { store } = usePage();
  const events = useView((view) => view.events);
  const type = (change: Partial<typeof events>): void => store.dispatch({ type: 'events', change, typing: true });
  const choose = (change: Partial<typeof events>): void => store.dispatch({ type: 'events', change });
  return (
    <fieldset className="events-filter">
      <legend className="visually-hidden">Which events are listed</legend>
      <CpuField cpus={events.cpus} onChange={(cpus) => type({ cpus })} />
      <label className="labelled">
        <span className="in-full">Task</span>
        <input
          className={events.task === '' ? 'field small' : 'field small on'}
          size={13}
          maxLength={MAX_FILTER_TEXT}
          placeholder="PID or command"
          title="PIDs, or beginnings of command names, with commas between them. Events in such a task, and events about it."
          spellCheck={false}
          value={events.task}
          onChange={(event) => type({ task: event.target.value })}
        />
      </label>
      <EventNamesMenu names={events.names} onChange={(names) => choose({ names })} />
      <FilterText name="events" label="Text" text={events.text} onChange={(text) => type({ text })} />
      <Toggle
        text="In window"
        title="Only events of the time window on the screen; follows when that moves"
        on={events.followWindow}
        onChange={(followWindow) => choose({ followWindow })}
      />
      <label className="labelled">
        Selected
        <select
          className={events.followSelection === 'off' ? 'field small' : 'field small on'}
          aria-label="Of the selected run"
          title="Only events on the CPU, or about the task, of the run that is selected; follows the selection"
          value={events.followSelection}
          onChange={(event) => choose({ followSelection: event.target.value as FollowSelection })}
        >
          <option value="off">any</option>
          <option value="cpu">CPU</option>
          <option value="task">task</option>
        </select>
      </label>
      {isFiltered(events) && (
        <button type="button" className="link nowrap" onClick={() => choose(unfiltered(events))}>
          Clear filters
        </button>
      )}
    </fieldset>
  );
}

interface CpuFieldProps {
  readonly cpus: readonly number[];
  readonly onChange: (cpus: readonly number[]) => void;
}

/** A field for a CPU list. While the text is no valid list, it changes nothing. */
function CpuField({ cpus, onChange }: CpuFieldProps): ReactNode {
  const text = formatCpuList(cpus);
  const [draft, setDraft] = useState(text);
  useEffect(() => {
    // The view was changed by other means.
    setDraft((typed) => (formatCpuList(parseCpuList(typed) ?? []) === text ? typed : text));
  }, [text]);
  const isBad = parseCpuList(draft) === null;
  return (
    <label className="labelled">
      <span className="in-full">CPUs</span>
      <input
        className={text === '' ? 'field small' : 'field small on'}
        size={9}
        maxLength={200}
        placeholder="CPUs 1,4-7"
        title={isBad ? 'Not a list of CPUs yet: 1,4-7' : 'CPUs and ranges of CPUs, like 1,4-7'}
        aria-invalid={isBad}
        spellCheck={false}
        value={draft}
        onChange={(event) => {
          setDraft(event.target.value);
          const next = parseCpuList(event.target.value);
          if (next) {
            onChange(next);
          }
        }}
        onBlur={() => setDraft(text)}
      />
    </label>
  );
}
