import { type ReactNode, useMemo } from 'react';
import { formatCount, formatDuration, plural } from '../../base/format';
import type { Ns, TimeWindow } from '../../base/units';
import { Fold } from '../../components/Fold';
import { WideTable } from '../../components/WideTable';
import type { FileReply, SchedExtLine, Summary } from '../../engine/protocol';
import { COUNTERS } from '../../page/schedext/counterWords';
import { clockOf } from '../../state/traces';
import { usePage } from '../context';
import { Time } from '../Facts';
import { useOrigin } from '../useOrigin';

export type SchedExtEvents = Extract<FileReply, { readonly type: 'sched_ext_events' }>;

/** The most lines of dumps that are listed at once. */
const MOST_LINES = 200;

interface CountersProps {
  readonly events: SchedExtEvents;
  /** Of the chosen part; null: there is none, or it is not known yet. */
  readonly inWindow: SchedExtEvents | null;
  readonly chosen: string | null;
  readonly summary: Summary;
}

/** What the core of sched_ext said: counters, bypasses, exits and dumps. */
export function Counters({ events, inWindow, chosen, summary }: CountersProps): ReactNode {
  const clock = useMemo(() => clockOf(summary), [summary]);
  const origin = useOrigin();
  const perSecond = (count: number): string =>
    clock.isNs && summary.span > 0 ? (count / (summary.span / 1e9)).toFixed(1) : '–';
  const known = new Map(inWindow?.events.map(({ name, count }) => [name, count]));
  return (
    <>
      <Fold name="scx-counters" title={<h3>Counters</h3>}>
        <WideTable label="Counters of sched_ext">
          <table className="numbers" aria-label="Counters of sched_ext">
            <thead>
              <tr>
                <td />
                <th scope="col">Events</th>
                <th scope="col">Sum</th>
                <th scope="col">Per second</th>
                {chosen !== null && <th scope="col">In the {chosen.toLowerCase()}</th>}
              </tr>
            </thead>
            <tbody>
              {events.events.map(({ name, count, sum }) => (
                <tr key={name}>
                  <th scope="row" title={COUNTERS[name] ?? 'A counter whose meaning is not known here'}>
                    {name.replace(/^SCX_EV_/, '').toLowerCase()}
                  </th>
                  <td>{formatCount(count)}</td>
                  <td>{name.endsWith('_DURATION') ? formatDuration({ isNs: true }, sum) : formatCount(sum)}</td>
                  <td>{perSecond(count)}</td>
                  {chosen !== null && <td>{inWindow === null ? '…' : formatCount(known.get(name) ?? 0)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </WideTable>
      </Fold>
      <Fold
        name="scx-bypasses"
        title={
          <h3>
            Bypasses <span className="muted">{events.bypasses.length}</span>
          </h3>
        }
      >
        <ul className="scx-lines" aria-label="Bypasses">
          {events.bypasses.map(({ start, end }) => (
            <li key={start}>
              <WindowLink window={{ start, end: end ?? summary.span }} title="Show the bypass on the lanes">
                <Time clock={clock} at={start} origin={origin} />
              </WindowLink>{' '}
              {end === null ? 'to the trace’s end' : formatDuration(clock, end - start)}
            </li>
          ))}
        </ul>
      </Fold>
      <Lines
        title="Exits"
        lines={events.exits}
        total={events.exits.length}
        at={(at) => <Time clock={clock} at={at} origin={origin} />}
      />
      <Lines
        title="Dumps"
        lines={events.dumps.slice(0, MOST_LINES)}
        total={events.dumps_total}
        at={(at) => <Time clock={clock} at={at} origin={origin} />}
      />
    </>
  );
}

interface WindowLinkProps {
  readonly window: TimeWindow;
  readonly title: string;
  readonly children: ReactNode;
}

/** Shows a part of the trace with some of what is around it. */
function WindowLink({ window: { start, end }, title, children }: WindowLinkProps): ReactNode {
  const { store } = usePage();
  const around = Math.max(1, Math.round((end - start) / 4));
  const window = { start: (start - around) as Ns, end: (end + around) as Ns };
  return (
    <button type="button" className="link" title={title} onClick={() => store.dispatch({ type: 'showWindow', window })}>
      {children}
    </button>
  );
}

interface LinesProps {
  readonly title: string;
  readonly lines: readonly SchedExtLine[];
  readonly total: number;
  readonly at: (at: Ns) => ReactNode;
}

function Lines({ title, lines, total, at }: LinesProps): ReactNode {
  if (total === 0) return null;
  return (
    <Fold
      name={`scx-${title.toLowerCase()}`}
      title={
        <h3>
          {title} <span className="muted">{formatCount(total)}</span>
        </h3>
      }
    >
      <ul className="scx-lines" aria-label={title}>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines never move, and some say the same at one time.
          <li key={index}>
            {at(line.at)} <code>{line.text}</code>
          </li>
        ))}
        {lines.length < total && <li className="muted">and {plural(total - lines.length, 'more line')}</li>}
      </ul>
    </Fold>
  );
}
