/** The lanes of the traces beside the first, below the first trace's lanes, on the same time axis. */
import { type ReactNode, useEffect, useRef } from 'react';
import { formatDuration } from '../base/format';
import { derived } from '../base/observable';
import type { Ns } from '../base/units';
import { useObservable } from '../components/useObservable';
import type { Summary } from '../engine/protocol';
import type { TraceId } from '../engine/protocolTracks';
import { ALIGNMENTS, type Alignment, alignmentOf, offsetFor } from '../page/compare/align';
import { noRun } from '../state/selectedRun';
import { clockOf, metadataOf, noSession, type Trace } from '../state/traces';
import { usePage, useScene, useSession, useView } from './context';

export function BesideLanes(): ReactNode {
  const [, ...beside] = useObservable(usePage().traces);
  return (
    <div className="beside">
      {beside.map((trace) => (
        <OneTrace key={trace.id} trace={trace} />
      ))}
    </div>
  );
}

function OneTrace({ trace }: { readonly trace: Trace }): ReactNode {
  const page = usePage();
  const scene = useScene();
  const element = useRef<HTMLDivElement>(null);
  const { id, engine, offset, session } = trace;
  useEffect(() => {
    const own = derived(page.traces, (traces) => traces.find((other) => other.id === id)?.session ?? noSession);
    const remove = scene.addTrace({ id, engine, session: own, offset, topology: NO_MACHINE, selected: NOT_SELECTED });
    const unmount = element.current ? scene.mountLanes(element.current, id) : undefined;
    return () => {
      unmount?.();
      remove();
    };
  }, [page, scene, id, engine, offset]);
  const name = session.kind === 'empty' ? '' : session.origin.name;
  const metadata = metadataOf(session);
  return (
    <section className="pane" aria-label={`Lanes of ${name}`} aria-busy={session.kind === 'loading'}>
      <header className="pane-head">
        <h2>{name}</h2>
        {metadata && offset !== 0 && (
          <span className="muted">
            {formatDuration(clockOf(metadata), Math.abs(offset))} {offset > 0 ? 'later' : 'earlier'}
          </span>
        )}
        {session.kind === 'open' && <Align id={id} offset={offset} summary={session.summary} />}
        <span className="spacer" />
        <button type="button" className="link" onClick={() => page.closeBeside(id)}>
          Close
        </button>
      </header>
      <div ref={element} className="scene" />
    </section>
  );
}

interface AlignProps {
  readonly id: TraceId;
  readonly offset: Ns;
  readonly summary: Summary;
}

/** Chooses which instants of both traces are one. */
function Align({ id, offset, summary }: AlignProps): ReactNode {
  const page = usePage();
  const first = useSession();
  const marks = useView((view) => view.timeMarks);
  if (first.kind !== 'open') return null;
  const offsetOf = (alignment: Alignment): Ns | null => offsetFor(alignment, first.summary, summary, marks);
  return (
    <select
      className="field small"
      aria-label={`How ${summary.name} is aligned`}
      value={alignmentOf(offset, first.summary, summary, marks) ?? ''}
      onChange={(event) => {
        const moved = offsetOf(event.target.value as Alignment);
        if (moved !== null) page.moveBeside(id, moved);
      }}
    >
      <option value="" disabled>
        aligned otherwise
      </option>
      {ALIGNMENTS.map(({ value, text }) => (
        <option key={value} value={value} disabled={offsetOf(value) === null}>
          aligned {text}
        </option>
      ))}
    </select>
  );
}

/** The topology of traces beside the first: only the first trace has one. */
const NO_MACHINE = { get: () => null, subscribe: () => () => {} };

/** The view's selection is a run of the first trace. */
const NOT_SELECTED = { get: () => noRun, subscribe: () => () => {}, offer: () => {} };
