import { type ReactNode, useMemo, useRef, useState } from 'react';
import { formatCount } from '../base/format';
import { Segmented } from '../components/Segmented';
import { Table } from '../components/Table';
import type { CommandRow, Summary } from '../engine/protocol';
import { closed } from '../page/stats/rows';
import { clockOf } from '../state/traces';
import { timeOrigin } from '../state/viewState';
import { usePage, useView } from './context';
import { FilterNote } from './FilterNote';
import { CopyMenu } from './stats/CopyMenu';
import { commandColumns } from './stats/commandColumns';
import { withDoubt } from './stats/numberColumn';
import { useSwatches } from './swatches';
import { useQuery } from './useQuery';
import { useRestingWindow } from './useRestingWindow';
import './commands.css';

type Span = 'trace' | 'window';

/** A table of commands with when, how long and how often they ran. */
export function Commands({ summary }: { readonly summary: Summary }): ReactNode {
  const page = usePage();
  const [span, setSpan] = useState<Span>('trace');
  const resting = useRestingWindow();
  const afterSleep = useView((view) => view.afterSleep);
  const highlighted = useView((view) => view.highlighted);
  const target = useView((view) => (view.colour === 'target' ? view.target : ''));
  const origin = timeOrigin(page.store.getState(), page.store.getLimits());
  const whole = afterSleep && origin > 0 ? { start: origin, end: summary.span } : null;
  const window = span === 'trace' ? whole : resting;
  const query = useQuery(page.engine, 'commands', {
    type: 'commands',
    window: window && closed(window, summary.span),
  });
  const swatchOf = useSwatches(summary);
  const clock = useMemo(() => clockOf(summary), [summary]);
  const columns = useMemo(
    () => withDoubt(commandColumns(clock, origin, swatchOf, true), summary),
    [clock, origin, swatchOf, summary],
  );
  const listed = useRef<readonly CommandRow[]>([]);
  const rows = query.answer?.rows ?? [];

  return (
    <>
      <header className="pane-head">
        <h2>Commands</h2>
        <span className="muted">{query.answer && formatCount(rows.length)}</span>
        <FilterNote />
        {highlighted.length > 0 && (
          <span className="nowrap" title={`${highlighted.length} highlighted`}>
            {highlighted.length} <span className="in-full">highlighted</span>{' '}
            <button type="button" className="link" onClick={() => page.store.dispatch({ type: 'clearHighlight' })}>
              Clear
            </button>
          </span>
        )}
        <span className="spacer" />
        <CopyMenu summary={summary} what="commands" columns={columns} rows={listed} window={window} />
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
        listed={listed}
        empty={query.error?.what ?? (query.pending ? 'Counting…' : `No commands in this ${span}.`)}
      />
    </>
  );
}
