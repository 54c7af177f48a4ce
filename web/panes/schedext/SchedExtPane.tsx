import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { formatCount, formatDuration, plural } from '../../base/format';
import { Fold } from '../../components/Fold';
import { Segmented } from '../../components/Segmented';
import { useObservable } from '../../components/useObservable';
import type { EngineClient } from '../../engine/client';
import type { QueueFacts, Summary, WindowRuns } from '../../engine/protocol';
import { dispatchQueues, schedExtEvents } from '../../facts/facts';
import { type Period, periodsOf, UNDER } from '../../page/schedext/periods';
import { queueName } from '../../state/queueNames';
import { hasQueues, hasSchedExt, hasSchedExtEvents, MAX_SLICE_US, type SchedExtView } from '../../state/schedExt';
import { clockOf } from '../../state/traces';
import { usePage, useView } from '../context';
import { Untold } from '../Untold';
import { useQuery } from '../useQuery';
import { useRestingWindow } from '../useRestingWindow';
import { Counters, type SchedExtEvents } from './Counters';
import { SliceHistogram } from './SliceHistogram';
import { MovesTable, SlicesTable } from './tables';
import '../latency/latency.css';
import './schedext.css';

/** What a run may last longer than its slice: a tick of a kernel with CONFIG_HZ=250. */
const TICK = 4_000_000;

/** What a scheduler of sched_ext did, and how tasks ran under it and before it. */
export function SchedExtPane({ summary }: { readonly summary: Summary }): ReactNode {
  const { engine } = usePage();
  const systems = useObservable(engine.systems);
  const chosen = useChosen();
  const hasEvents = hasSchedExtEvents(systems);
  const events = useFacts(schedExtEvents, hasEvents);
  const inWindow = useQuery(
    engine,
    'sched_ext/window',
    hasEvents && chosen !== null ? { type: 'sched_ext_events', window: chosen.window } : null,
  ).answer;
  const queues = useFacts(dispatchQueues, hasQueues(summary));
  if (!hasSchedExt(systems, summary)) {
    return (
      <div className="details">
        <p className="hint">
          {systems.length === 0
            ? 'What sched_ext did is known once the list of events is there (E).'
            : 'The trace has no events of sched_ext. Record sched_ext:*; scxtop writes queues.'}
        </p>
      </div>
    );
  }
  return (
    <div className="details latency sched-ext">
      {hasEvents && (
        <p className="hint small">
          On the lane <i>sched_ext</i>: a band is a bypass of the scheduler, a stroke an exit, a stroke of half the
          height lines of a dump.
        </p>
      )}
      {hasQueues(summary) && !hasEvents && <p className="hint">scxtop writes no counters and no bypasses.</p>}
      {(!hasEvents || events !== null) && <Runs summary={summary} events={events} chosen={chosen} />}
      {events !== null && (
        <Counters events={events} inWindow={chosen && inWindow} chosen={chosen?.name ?? null} summary={summary} />
      )}
      {queues !== null && <Queues queues={queues.queues} />}
    </div>
  );
}

/** What is asked once for all who show it; null: it is not known yet, or not wanted. */
function useFacts<A>(ask: (engine: EngineClient, arrived: () => void) => A | null, isWanted: boolean): A | null {
  const { engine } = usePage();
  // Another trace has another summary, with which the pane is rendered.
  const { session } = engine;
  const [held, setHeld] = useState<{ readonly session: number; readonly answer: A | null } | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    let isShown = true;
    const look = (): void => {
      if (isShown) setHeld({ session, answer: ask(engine, look) });
    };
    look();
    return () => {
      isShown = false;
    };
  }, [ask, engine, session, isWanted]);
  return isWanted && held?.session === session ? held.answer : null;
}

/** The range, else the window on the screen; null: that is the whole trace. */
function useChosen(): Period | null {
  const resting = useRestingWindow();
  const range = useView((view) => view.range);
  const isWhole = useView((view) => view.window === null);
  return useMemo(() => {
    if (range !== null) return { name: 'Range', title: 'The selected range', window: range };
    return isWhole ? null : { name: 'Window', title: 'The window on the screen', window: resting };
  }, [range, isWhole, resting]);
}

interface RunsProps {
  readonly summary: Summary;
  readonly events: SchedExtEvents | null;
  readonly chosen: Period | null;
}

function Runs({ summary, events, chosen }: RunsProps): ReactNode {
  const { engine, machine, store } = usePage();
  const view = useView((state) => state.schedExt);
  const topology = useObservable(machine.topology);
  const clock = useMemo(() => clockOf(summary), [summary]);
  const periods = periodsOf(events?.bypasses ?? [], summary.span, chosen);
  const [picked, setPicked] = useState('');
  const part =
    [picked, UNDER].map((name) => periods.find((period) => period.name === name)).find(Boolean) ?? periods[0];
  const slice = view.sliceUs * 1000;
  const { answer, pending } = useQuery(engine, 'sched_ext/runs', {
    type: 'sched_ext_runs',
    windows: periods.map(({ window }) => window),
    slice,
    tick: TICK,
    topology: topology?.canonical ?? null,
  });
  // An answer to the question before may have other windows.
  const measured = answer?.windows.length === periods.length ? answer.windows : null;
  const runs = part && measured?.[periods.indexOf(part)];
  const change = (by: Partial<SchedExtView>, typing = false): void =>
    store.dispatch({ type: 'schedExt', change: by, typing });
  return (
    <div aria-busy={pending}>
      <div className="latency-controls">
        <label>
          Time slice{' '}
          <input
            className="field slice"
            type="number"
            min={1}
            max={MAX_SLICE_US}
            value={view.sliceUs}
            aria-label="Nominal time slice in µs"
            onChange={({ target }) => {
              const us = Math.round(target.valueAsNumber);
              if (us >= 1 && us <= MAX_SLICE_US) change({ sliceUs: us }, true);
            }}
          />{' '}
          µs
        </label>
      </div>
      <div className="latency-controls">
        <Segmented
          small
          label="Part of the trace"
          options={periods.map(({ name, title }) => ({ value: name, text: name, title }))}
          value={part?.name ?? ''}
          onChange={setPicked}
        />
        {part && (
          <button
            type="button"
            className="button small"
            title={`${part.title}: show it on the lanes`}
            onClick={() => store.dispatch({ type: 'showWindow', window: part.window })}
          >
            Show on the lanes
          </button>
        )}
      </div>
      {measured && (
        <>
          <h3>
            Runs that ended still runnable, by length, {view.comm === '' ? 'all commands' : view.comm}
            {view.comm !== '' && (
              <button type="button" className="link all-commands" onClick={() => change({ comm: '' })}>
                All commands
              </button>
            )}
          </h3>
          <SliceHistogram
            clock={clock}
            slice={slice}
            periods={periods.map((period, i) => ({ name: period.name, of: ofCommand(measured[i], view.comm) }))}
            bin={measured[0]?.bin ?? 1}
          />
          {runs && (
            <SlicesTable
              clock={clock}
              part={part}
              runs={runs}
              chosen={view.comm}
              onPick={(comm) => change({ comm: comm === view.comm ? '' : comm })}
            />
          )}
          <Untold summary={summary} matters={['migrations', 'preemption']} />
          <MovesTable periods={periods} measured={measured} isNs={clock.isNs} />
        </>
      )}
    </div>
  );
}

const ofCommand = (runs: WindowRuns | undefined, comm: string) =>
  comm === '' ? runs?.all : runs?.commands.find((command) => command.comm === comm);

function Queues({ queues }: { readonly queues: readonly QueueFacts[] }): ReactNode {
  return (
    <Fold name="dsqs" title={<h3>Dispatch queues</h3>}>
      <table className="numbers" aria-label="Dispatch queues">
        <thead>
          <tr>
            <td />
            <th scope="col">Waits</th>
            <th scope="col">Longest</th>
            <th scope="col">Most tasks</th>
          </tr>
        </thead>
        <tbody>
          {queues.map(({ id, waits, latency_us_max: longest, nr_queued_max: most }) => (
            <tr key={id}>
              <th scope="row">{queueName(id)}</th>
              <td>{formatCount(waits)}</td>
              <td>{longest === null ? '–' : formatDuration({ isNs: true }, longest * 1000)}</td>
              <td>{most === null ? '–' : formatCount(most)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="muted">{plural(queues.length, 'queue')}; the lanes show those with most waits.</p>
    </Fold>
  );
}
