import { type ReactNode, useState } from 'react';
import { formatCpuList, formatCpuOrder, parseCpuOrder } from '../../base/cpuList';
import { Segmented } from '../../components/Segmented';
import { useObservable } from '../../components/useObservable';
import type { Summary } from '../../engine/protocol';
import { showBusyCpus, showCpus, shownCpus } from '../../page/chosenCpus';
import type { TopologyView } from '../../state/topology';
import { usePage, useView } from '../context';
import './lanes.css';

interface CpusChoicesProps {
  readonly summary: Summary;
  /** Closes the menu. */
  readonly close: () => void;
}

/** The ways to choose CPUs: by number, those of a socket, those on which something ran. */
export function CpusChoices({ summary, close }: CpusChoicesProps): ReactNode {
  const page = usePage();
  // Also when they change.
  useView((view) => view.cpus);
  const order = useView((view) => view.topology.order);
  const topology = useObservable(page.machine.topology);
  const shown = shownCpus(page);
  const isAll = shown.length === summary.cpus.length;
  const [typed, setTyped] = useState(isAll && order !== 'list' ? '' : formatCpuOrder(shown));
  const list = parseCpuOrder(typed);
  const known = list?.filter((cpu) => summary.cpus.includes(cpu)) ?? null;
  const show = (cpus: readonly number[]): void => {
    close();
    showCpus(page, cpus);
  };
  const sockets = new Map<number, number[]>();
  for (const { cpu, socket } of topology?.cpus ?? []) {
    sockets.set(socket, [...(sockets.get(socket) ?? []), cpu]);
  }
  return (
    <>
      <form
        className="menu-head"
        onSubmit={(event) => {
          event.preventDefault();
          if (known && known.length > 0) show(known);
        }}
      >
        <input
          className="field small"
          aria-label="CPUs with lanes, as a list"
          aria-invalid={list === null || (typed.trim() !== '' && known?.length === 0)}
          placeholder="A list, like 1,4-7"
          spellCheck={false}
          data-focus
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <button type="submit" className="button small" disabled={!known || known.length === 0}>
          Show
        </button>
      </form>
      {list === null && <p className="hint">This is no list of CPUs: numbers and ranges, with commas, like 1,4-7.</p>}
      {list !== null && list.length > 0 && known?.length === 0 && (
        <p className="hint">The trace has none of these: it has {formatCpuList(summary.cpus)}.</p>
      )}
      <div className="lane-order">
        Order{' '}
        <Segmented<TopologyView['order']>
          small
          label="Order of the lanes"
          options={[
            { value: topology ? 'topology' : 'number', text: topology ? 'Socket' : 'Number' },
            ...(topology ? [{ value: 'number', text: 'Number' } as const] : []),
            { value: 'activity', text: 'Busiest', title: 'Those that ran tasks for longest in the trace first' },
            {
              value: 'list',
              text: 'List',
              title: 'As the list has them: also by “Move up” in the menu of a CPU’s label',
            },
          ]}
          value={order === 'topology' && !topology ? 'number' : order}
          onChange={(next) => {
            if (next === 'list' && page.store.getState().cpus.length === 0)
              page.store.dispatch({ type: 'cpus', cpus: shown });
            page.store.dispatch({ type: 'topology', change: { order: next } });
          }}
        />
      </div>
      <div className="tasks-choices">
        <button type="button" className="tasks-choice" disabled={isAll} onClick={() => show(summary.cpus)}>
          All CPUs
        </button>
        <button
          type="button"
          className="tasks-choice"
          onClick={() => {
            close();
            void showBusyCpus(page);
          }}
        >
          Those that ran something in this window
        </button>
        {sockets.size > 1 &&
          [...sockets].map(([socket, cpus]) => (
            <button key={socket} type="button" className="tasks-choice" onClick={() => show(cpus)}>
              Socket {socket}: {formatCpuList(cpus)}
            </button>
          ))}
      </div>
    </>
  );
}
