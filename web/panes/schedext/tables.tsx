import { Fragment, type ReactNode } from 'react';
import { formatCount, formatDuration, formatPercent } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import { Fold } from '../../components/Fold';
import { WideTable } from '../../components/WideTable';
import type { CommandRuns, MoveCounts, WindowRuns } from '../../engine/protocol';
import type { Period } from '../../page/schedext/periods';

/** The most commands that are listed. */
const MOST = 30;

interface SlicesTableProps {
  readonly clock: TraceClock;
  readonly part: Period;
  readonly runs: WindowRuns;
  readonly chosen: string;
  readonly onPick: (comm: string) => void;
}

const countOf = ({ preempted, slept, exited }: CommandRuns): number => preempted.count + slept.count + exited.count;

/** Runs that ended still runnable beside the slice, by command, in one part of the trace: all commands, then those with most runs. */
export function SlicesTable({ clock, part, runs, chosen, onPick }: SlicesTableProps): ReactNode {
  const commands = [...runs.commands].sort((a, b) => countOf(b) - countOf(a));
  const duration = (value: number | null | undefined): string =>
    value === null || value === undefined ? '–' : formatDuration(clock, value);
  const row = (found: CommandRuns): ReactNode => (
    <>
      <td>{formatCount(found.preempted.count)}</td>
      <td>{duration(found.preempted.ns.p50)}</td>
      <td>{found.slice.share === null ? '–' : formatPercent(found.slice.share)}</td>
      <td>{formatCount(found.slept.count)}</td>
      <td>{duration(found.slept.ns.p50)}</td>
    </>
  );
  return (
    <Fold
      name="scx-slices"
      title={
        <h3>
          Runs by why they ended <span className="muted">{part.name}</span>
        </h3>
      }
    >
      <WideTable label="Runs by why they ended">
        <table className="numbers" aria-label="Runs by why they ended">
          <thead>
            <tr>
              <td />
              <th
                scope="col"
                title="Runs that ended with the task still runnable: preempted (R+), or R; known yields are left out"
              >
                Still runnable
              </th>
              <th scope="col" title="Half of the runs that ended still runnable are at most this long">
                Median
              </th>
              <th scope="col" title="Runs that ended still runnable, from the time slice to a tick of 4 ms more">
                Ended at slice
              </th>
              <th scope="col" title="Runs that ended by sleeping, blocking or stopping">
                Slept
              </th>
              <th scope="col" title="Half of these are at most this long">
                Median
              </th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">all</th>
              {row(runs.all)}
            </tr>
            {commands.slice(0, MOST).map((found) => (
              <tr key={found.comm}>
                <th scope="row">
                  <button
                    type="button"
                    className="link"
                    aria-pressed={found.comm === chosen}
                    title="Only this command in the histograms"
                    onClick={() => onPick(found.comm)}
                  >
                    {found.comm}
                  </button>
                </th>
                {row(found)}
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
      {commands.length > MOST && <p className="muted">and {commands.length - MOST} more commands</p>}
    </Fold>
  );
}

const KINDS = [
  ['placement', 'As part of a wakeup'],
  ['load_balance', 'While the task was runnable'],
  ['numa', 'NUMA balancing'],
  ['other', 'Affinity changes, hotplug, or an unknown state'],
  ['derived', 'No event: seen by where the task runs. Not in the total'],
] as const;

const DISTANCES = [
  ['core', 'Threads of one core'],
  ['llc', 'Cores with one last-level cache'],
  ['socket', 'Two last-level caches of a socket'],
  ['machine', 'Two sockets'],
  ['unknown', 'Not known'],
] as const;

interface MovesTableProps {
  readonly periods: readonly Period[];
  readonly measured: readonly WindowRuns[];
  readonly isNs: boolean;
}

/** Migrations by kind and by distance: all, in a second, and of each command. */
export function MovesTable({ periods, measured, isNs }: MovesTableProps): ReactNode {
  const kinds = KINDS.filter(([kind]) => measured.some(({ all }) => all.moves.kinds[kind] > 0));
  const hasDistances = measured.some(({ all }) => all.moves.distances !== null);
  const distances = DISTANCES.filter(([name]) => measured.some(({ all }) => (all.moves.distances?.[name] ?? 0) > 0));
  const cells = (moves: MoveCounts, length: number): ReactNode => {
    const { placement, load_balance: balance, numa, other, derived } = moves.kinds;
    const total = placement + balance + numa + other;
    return (
      <>
        <td>{formatCount(total)}</td>
        <td>{isNs && length > 0 ? (((total + derived) * 1e9) / length).toFixed(1) : '–'}</td>
        {kinds.map(([kind]) => (
          <td key={kind}>{formatCount(moves.kinds[kind])}</td>
        ))}
        {distances.map(([name]) => (
          <td key={name}>{formatCount(moves.distances?.[name] ?? 0)}</td>
        ))}
      </>
    );
  };
  return (
    <Fold name="scx-moves" title={<h3>Migrations</h3>}>
      <WideTable label="Migrations">
        <table className="numbers" aria-label="Migrations">
          <thead>
            <tr>
              <td />
              <th scope="col">total</th>
              <th scope="col" title="In a second, with those that are derived">
                per s
              </th>
              {[...kinds, ...distances].map(([name, title]) => (
                <th key={name} scope="col" title={title}>
                  {name.replace('_', ' ')}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {periods.map(({ name, title }, i) => {
              const runs = measured[i];
              if (runs === undefined) return null;
              const busiest = runs.commands.filter(({ moves }) =>
                Object.values(moves.kinds).some((count) => count > 0),
              );
              return (
                <Fragment key={name}>
                  <tr className="all">
                    <th scope="row" title={title}>
                      {name}
                    </th>
                    {cells(runs.all.moves, runs.length)}
                  </tr>
                  {busiest.slice(0, MOST).map(({ comm, moves }) => (
                    <tr key={comm}>
                      <th scope="row" className="of">
                        {comm}
                      </th>
                      {cells(moves, runs.length)}
                    </tr>
                  ))}
                </Fragment>
              );
            })}
          </tbody>
        </table>
      </WideTable>
      {!hasDistances && <p className="muted">Give the topology to see how far they went.</p>}
    </Fold>
  );
}
