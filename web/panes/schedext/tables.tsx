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
  readonly periods: readonly Period[];
  readonly measured: readonly WindowRuns[];
  readonly chosen: string;
  readonly onPick: (comm: string) => void;
}

/** The commands of all periods, those with most runs first; all of them first of all. */
function commandsOf(measured: readonly WindowRuns[]): readonly string[] {
  const runs = new Map<string, number>();
  for (const { comm, preempted, slept, exited } of measured.flatMap(({ commands }) => commands)) {
    runs.set(comm, (runs.get(comm) ?? 0) + preempted.count + slept.count + exited.count);
  }
  return [...runs].sort(([, a], [, b]) => b - a).map(([comm]) => comm);
}

const of = ({ all, commands }: WindowRuns, comm: string): CommandRuns | undefined =>
  comm === '' ? all : commands.find((command) => command.comm === comm);

/** Runs that ended still runnable beside the slice, by command, in each period. */
export function SlicesTable({ clock, periods, measured, chosen, onPick }: SlicesTableProps): ReactNode {
  const commands = commandsOf(measured);
  const duration = (value: number | null | undefined): string =>
    value === null || value === undefined ? '–' : formatDuration(clock, value);
  return (
    <Fold name="scx-slices" title={<h3>Runs by why they ended</h3>}>
      <WideTable label="Runs by why they ended">
        <table className="numbers" aria-label="Runs by why they ended">
          <thead>
            <tr>
              <td rowSpan={2} />
              {periods.map(({ name, title }) => (
                <th key={name} scope="colgroup" colSpan={5} title={title}>
                  {name}
                </th>
              ))}
            </tr>
            <tr>
              {periods.map(({ name }) => (
                <Fragment key={name}>
                  <th
                    scope="col"
                    title="Runs that ended with the task still runnable: preempted (R+), or R; known yields are left out"
                  >
                    runnable
                  </th>
                  <th scope="col" title="Half of the runs that ended still runnable are at most this long">
                    median
                  </th>
                  <th scope="col" title="Runs that ended still runnable, from the slice to a tick of 4 ms more">
                    at slice
                  </th>
                  <th scope="col" title="Runs that ended by sleeping, blocking or stopping">
                    slept
                  </th>
                  <th scope="col" title="Half of these are at most this long">
                    median
                  </th>
                </Fragment>
              ))}
            </tr>
          </thead>
          <tbody>
            {['', ...commands.slice(0, MOST)].map((comm) => (
              <tr key={comm}>
                <th scope="row">
                  {comm === '' ? (
                    'all'
                  ) : (
                    <button
                      type="button"
                      className="link"
                      aria-pressed={comm === chosen}
                      title="Only this command in the histograms"
                      onClick={() => onPick(comm)}
                    >
                      {comm}
                    </button>
                  )}
                </th>
                {measured.map((runs, i) => {
                  const found = of(runs, comm);
                  const share = found?.slice.share ?? null;
                  return (
                    <Fragment key={periods[i]?.name}>
                      <td>{found ? formatCount(found.preempted.count) : '–'}</td>
                      <td>{duration(found?.preempted.ns.p50)}</td>
                      <td>{share === null ? '–' : formatPercent(share)}</td>
                      <td>{found ? formatCount(found.slept.count) : '–'}</td>
                      <td>{duration(found?.slept.ns.p50)}</td>
                    </Fragment>
                  );
                })}
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
