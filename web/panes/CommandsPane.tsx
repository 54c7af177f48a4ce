import { type ReactNode, useMemo, useState } from 'react';
import { formatCount, formatDuration, formatTime } from '../base/format';
import type { TraceClock } from '../base/traceTime';
import type { Ns } from '../base/units';
import { Segmented } from '../components/Segmented';
import { type Column, Table } from '../components/Table';
import type { CommandRow, Summary } from '../engine/protocol';
import { useQuery } from '../engine/useQuery';
import { clockOf } from '../state/session';
import { timeOrigin } from '../state/viewState';
import { usePage, useSession, useView } from './context';
import { useSwatches } from './swatches';
import { useRestingWindow } from './useRestingWindow';
import './commands.css';

type Span = 'trace' | 'window';

/** The legend of colour by command, as a table: who ran, when, how long, how often. */
export function CommandsPane(): ReactNode {
  const session = useSession();
  return (
    <section className="pane" aria-label="Commands">
      {session.kind === 'open' ? (
        <Commands summary={session.summary} />
      ) : (
        <header className="pane-head">
          <h2>Commands</h2>
        </header>
      )}
    </section>
  );
}

function Commands({ summary }: { readonly summary: Summary }): ReactNode {
  const page = usePage();
  const [span, setSpan] = useState<Span>('trace');
  const resting = useRestingWindow();
  const afterSleep = useView((view) => view.afterSleep);
  const highlighted = useView((view) => view.highlighted);
  const target = useView((view) => (view.colour === 'target' ? view.target : ''));
  const origin = timeOrigin(page.store.getState(), page.store.getLimits());
  const whole = afterSleep && origin > 0 ? { start: origin, end: summary.span } : null;
  const query = useQuery(page.engine, 'commands', { type: 'commands', window: span === 'trace' ? whole : resting });
  const swatchOf = useSwatches(summary);
  const clock = useMemo(() => clockOf(summary), [summary]);
  const columns = useMemo(() => columnsFor(clock, origin, swatchOf), [clock, origin, swatchOf]);
  const rows = query.answer?.rows ?? [];

  return (
    <>
      <header className="pane-head">
        <h2>Commands</h2>
        <span className="muted">{formatCount(rows.length)}</span>
        {highlighted.length > 0 && (
          <span className="nowrap">
            {highlighted.length} highlighted{' '}
            <button type="button" className="link" onClick={() => page.store.dispatch({ type: 'clearHighlight' })}>
              Clear
            </button>
          </span>
        )}
        <span className="spacer" />
        <Segmented
          small
          label="Commands of"
          options={[
            { value: 'trace', text: afterSleep && whole ? 'After the sleep' : 'Whole trace' },
            { value: 'window', text: 'Window', title: 'Only the time on the screen' },
          ]}
          value={span}
          onChange={setSpan}
        />
      </header>
      <Table
        label={span === 'trace' ? 'Commands of the whole trace' : 'Commands of the window'}
        columns={columns}
        rows={rows}
        keyOf={(row) => row.comm}
        initialSort={{ column: 'execution', descending: true }}
        isSelected={(row) => highlighted.includes(row.comm)}
        isDimmed={(row) =>
          highlighted.length > 0 ? !highlighted.includes(row.comm) : target !== '' && !row.comm.startsWith(target)
        }
        onPick={(row) => page.store.dispatch({ type: 'toggleHighlight', comm: row.comm })}
        onOpen={(row) => page.store.dispatch({ type: 'targetCommand', comm: row.comm })}
        onHover={(row) => page.hover.set({ comm: row?.comm ?? null })}
        busy={query.pending}
        empty={query.error?.what ?? (query.pending ? 'Counting…' : 'No command runs here.')}
      />
    </>
  );
}

function columnsFor(
  clock: TraceClock,
  origin: Ns,
  swatchOf: (row: CommandRow) => string,
): readonly Column<CommandRow>[] {
  return [
    {
      id: 'comm',
      text: 'Command',
      title: 'Name of the task while it ran',
      width: 120,
      grows: true,
      cell: (row) => (
        <>
          <span className="swatch" style={{ background: swatchOf(row) }} />
          <span className="comm" title={row.comm}>
            {row.comm}
          </span>
        </>
      ),
      sortBy: (row) => row.comm,
    },
    {
      id: 'execution',
      text: 'Execution',
      title: 'Total time on a CPU',
      width: 92,
      numeric: true,
      cell: (row) => formatDuration(clock, row.executionNs),
      sortBy: (row) => row.executionNs,
    },
    {
      id: 'switches',
      text: 'Switches',
      title: 'Context switches to the command',
      width: 68,
      numeric: true,
      cell: (row) => formatCount(row.switchesTo),
      sortBy: (row) => row.switchesTo,
    },
    {
      id: 'pids',
      text: 'PIDs',
      title: 'Number of tasks that ran under this name',
      width: 44,
      numeric: true,
      cell: (row) => formatCount(row.pids),
      sortBy: (row) => row.pids,
    },
    {
      id: 'first',
      text: 'First',
      title: 'When it first ran, from time 0',
      width: 66,
      numeric: true,
      cell: (row) => formatTime(clock, row.first, origin, 3),
      sortBy: (row) => row.first,
    },
    {
      id: 'last',
      text: 'Last',
      title: 'When it last ran, from time 0',
      width: 66,
      numeric: true,
      cell: (row) => formatTime(clock, row.last, origin, 3),
      sortBy: (row) => row.last,
    },
  ];
}
