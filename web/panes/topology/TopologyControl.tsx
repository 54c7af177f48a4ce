import { type ReactNode, useState } from 'react';
import { formatCount, plural } from '../../base/format';
import { Toggle } from '../../components/Toggle';
import { useObservable } from '../../components/useObservable';
import type { Summary, Topology } from '../../engine/protocol';
import { CONTROLS } from '../../page/controls';
import { MOST_MOVES } from '../../timeline/tracks/cpu/arrivalMarks';
import { usePage, useSession, useView } from '../context';
import { useQuery } from '../useQuery';
import { useRestingWindow } from '../useRestingWindow';
import { TopologyDialog } from './TopologyDialog';
import './topology.css';

/** Asks for the machine's topology, which the trace lacks, and chooses what the lanes show of it. */
export function TopologyControl(): ReactNode {
  const { store, machine } = usePage();
  const session = useSession();
  const topology = useObservable(machine.topology);
  const order = useView((view) => view.topology.order);
  const [asking, setAsking] = useState(false);
  const isOpen = session.kind === 'open';
  return (
    <span className="toolbar-group">
      <button
        id={CONTROLS.topology}
        type="button"
        className={topology ? 'button on' : 'button'}
        disabled={!isOpen}
        aria-haspopup="dialog"
        title={
          topology
            ? `${topology.summary}. Click to change.`
            : 'Sockets, caches and cores of the machine: not in a trace'
        }
        onClick={() => setAsking(true)}
      >
        Topology{topology && <span className="topology-name">{topology.canonical}</span>}
      </button>
      {topology && (
        <Toggle
          text="Order CPUs"
          title="Lanes by socket, last-level cache and core, in place of by number"
          on={order === 'topology'}
          onChange={(on) => store.dispatch({ type: 'topology', change: { order: on ? 'topology' : 'number' } })}
        />
      )}
      {topology && isOpen && <Moves topology={topology} summary={session.summary} />}
      {isOpen && <TopologyDialog summary={session.summary} open={asking} onClose={() => setAsking(false)} />}
    </span>
  );
}

/** Marks tasks that came from another CPU, and counts those in sight. */
function Moves({ topology, summary }: { readonly topology: Topology; readonly summary: Summary }): ReactNode {
  const { store, engine } = usePage();
  const isOn = useView((view) => view.topology.moves);
  const window = useRestingWindow();
  const { answer } = useQuery(
    engine,
    'topology/moves',
    isOn ? { type: 'moves', window, cpus: summary.cpus, most: 0 } : null,
  );
  const counts = answer?.counts;
  const total = counts ? counts.core + counts.llc + counts.socket + counts.machine + counts.unknown : 0;
  return (
    <>
      <Toggle
        text="Mark moves"
        title={
          'Runs of tasks that ran on another CPU before: ○ one with the same last-level cache, ' +
          `${topology.llcs > topology.sockets ? '+ another cache of the socket, ' : ''}× another socket`
        }
        on={isOn}
        onChange={(on) => store.dispatch({ type: 'topology', change: { moves: on } })}
      />
      {counts && (
        <span className="muted nowrap moves-count" title={movesText(counts)}>
          {total > MOST_MOVES ? 'zoom in: ' : ''}
          {formatCount(counts.machine)} of {plural(total, 'move')} crossed sockets
        </span>
      )}
    </>
  );
}

const movesText = (counts: {
  readonly core: number;
  readonly llc: number;
  readonly socket: number;
  readonly machine: number;
  readonly unknown: number;
}): string =>
  [
    `In the time window ${plural(counts.machine, 'move')} between sockets`,
    `${formatCount(counts.socket)} between caches of a socket`,
    `${formatCount(counts.llc)} between cores with one cache`,
    `${formatCount(counts.core)} between threads of a core`,
    counts.unknown > 0 ? `${formatCount(counts.unknown)} at an unknown distance` : '',
    `at most ${formatCount(MOST_MOVES)} are marked at once`,
  ]
    .filter(Boolean)
    .join('; ');
