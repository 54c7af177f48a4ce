import { type ReactNode, useEffect, useState } from 'react';
import { formatCpuList } from '../../base/cpuList';
import { formatBytes, plural } from '../../base/format';
import { saveFile } from '../../base/saveFile';
import type { TimeWindow } from '../../base/units';
import { Segmented } from '../../components/Segmented';
import type { ExportFormat, Summary } from '../../engine/protocol';
import { holdsRecords } from '../../page/cannotTell';
import { EXPORT_FORMATS, type ExportPart, exportCommand, exportName } from '../../page/export/traceExport';
import { closed } from '../../page/stats/rows';
import { usePage, useView } from '../context';
import { useRestingWindow } from '../useRestingWindow';
import './export.css';

/** The key of the query. */
const KEY = 'export';

type State =
  | { readonly kind: 'ready' }
  | { readonly kind: 'working'; readonly share: number | null }
  | { readonly kind: 'done'; readonly text: string }
  | { readonly kind: 'failed'; readonly text: string };

/** What is saved: the format, and which part. A worker makes the file; closing the dialog ends it. */
export function TraceExportForm({ summary }: { readonly summary: Summary }): ReactNode {
  const { engine } = usePage();
  const range = useView((view) => view.range);
  const isWhole = useView((view) => view.window === null);
  const chosen = useView((view) => view.cpus);
  const highlighted = useView((view) => view.highlighted);
  const shown = useRestingWindow();
  const [to, setTo] = useState<ExportFormat>('perfetto');
  const [span, setSpan] = useState<'whole' | 'window'>(range !== null || !isWhole ? 'window' : 'whole');
  const [onlyShown, setOnlyShown] = useState(false);
  const [onlyHighlighted, setOnlyHighlighted] = useState(false);
  const [state, setState] = useState<State>({ kind: 'ready' });
  useEffect(() => () => engine.cancel(KEY), [engine]);
  const window: TimeWindow | null = span === 'whole' ? null : closed(range ?? shown, summary.span);
  const part: ExportPart = {
    to,
    window,
    cpus: onlyShown && chosen.length > 0 ? chosen : null,
    comms: onlyHighlighted ? highlighted : [],
  };
  const name = exportName(summary.name, part);
  const working = state.kind === 'working';
  const change =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      // What is being saved is no longer what is chosen.
      engine.cancel(KEY);
      set(value);
      setState({ kind: 'ready' });
    };
  const save = async (): Promise<void> => {
    setState({ kind: 'working', share: null });
    const outcome = await engine.query(KEY, { type: 'export', ...part }, ({ share }) =>
      setState({ kind: 'working', share }),
    );
    if (outcome.kind === 'superseded') {
      setState({ kind: 'ready' });
    } else if (outcome.kind === 'failed') {
      setState({ kind: 'failed', text: outcome.error.what });
    } else {
      const { file, records } = outcome.answer;
      if (file === null) return;
      saveFile(file, 'application/octet-stream', name);
      setState({ kind: 'done', text: `${plural(records, 'record')} in ${name}, ${formatBytes(file.length)}` });
    }
  };
  return (
    <form
      className="trace-export"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div className="trace-export-row">
        <Segmented label="Format" options={EXPORT_FORMATS} value={to} onChange={change(setTo)} />
        <span className="muted">{EXPORT_FORMATS.find(({ value }) => value === to)?.hint}</span>
      </div>
      <div className="trace-export-row">
        <Segmented
          label="Part"
          options={[
            { value: 'whole', text: 'Whole trace' },
            { value: 'window', text: range === null ? 'Window' : 'Range' },
          ]}
          value={span}
          onChange={change(setSpan)}
        />
        {chosen.length > 0 && (
          <label>
            <input
              type="checkbox"
              checked={onlyShown}
              onChange={({ target }) => change(setOnlyShown)(target.checked)}
            />{' '}
            only CPUs {formatCpuList(chosen)}
          </label>
        )}
        {highlighted.length > 0 && (
          <label title="What their tasks did and what was done to them, and all switches">
            <input
              type="checkbox"
              checked={onlyHighlighted}
              onChange={({ target }) => change(setOnlyHighlighted)(target.checked)}
            />{' '}
            only {highlighted.join(', ')}
          </label>
        )}
      </div>
      <p className="muted">{notesOf(summary, to)}</p>
      <div className="trace-export-row">
        <button type="submit" className="button primary" disabled={working} data-focus>
          Save {name}
        </button>
        {working && (
          <>
            <progress className="progress" aria-label="Saving" value={state.share ?? undefined} max={1} />
            <button type="button" className="button" onClick={() => engine.cancel(KEY)}>
              Cancel
            </button>
          </>
        )}
      </div>
      {state.kind === 'done' && <p role="status">{state.text}</p>}
      {state.kind === 'failed' && (
        <p role="alert" className="lost">
          {state.text}
        </p>
      )}
      <p className="muted">The same on the command line:</p>
      <pre>
        <code>{exportCommand(summary.name, part)}</code>
      </pre>
    </form>
  );
}

/** What the new file has. */
function notesOf(summary: Summary, to: ExportFormat): string {
  const records = holdsRecords(summary)
    ? 'All events of the part'
    : 'The scheduler’s events of the part, as a kernel would have written them';
  return to === 'perfetto'
    ? `${records}, the tasks’ names, and how many run and wait.`
    : `${records}, and the tasks’ names.`;
}
