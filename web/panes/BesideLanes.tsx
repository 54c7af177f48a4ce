/** The lanes of the traces beside the first, below the first trace's lanes, on the same time axis. */
import { type ReactNode, useEffect, useRef } from 'react';
import { formatDuration } from '../base/format';
import { derived } from '../base/observable';
import { type Ns, ns } from '../base/units';
import { useObservable } from '../components/useObservable';
import type { EngineClient } from '../engine/client';
import type { Summary } from '../engine/protocol';
import type { TraceId } from '../engine/protocolTracks';
import { ALIGNMENTS, type Alignment, alignmentOf, offsetFor } from '../page/compare/align';
import type { Trace } from '../page/traceList';
import { expressionOf } from '../state/filter';
import { noRun } from '../state/selectedRun';
import { clockOf, metadataOf, noSession } from '../state/traces';
import { usePage, useScene, useSession, useView } from './context';
import { useQuery } from './useQuery';

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
        {session.kind === 'open' && <Align id={id} engine={engine} offset={offset} summary={session.summary} />}
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
  readonly engine: EngineClient;
  readonly offset: Ns;
  readonly summary: Summary;
}

/** Chooses which instants of both traces are one. */
function Align({ id, engine, offset, summary }: AlignProps): ReactNode {
  const page = usePage();
  const first = useSession();
  const marks = useView((view) => view.timeMarks);
  const passing = useFirstPassing(page.engine, `align/${id}`);
  const passingBeside = useFirstPassing(engine, 'align');
  if (first.kind !== 'open') return null;
  const here = { ...first.summary, passing };
  const beside = { ...summary, passing: passingBeside };
  const offsetOf = (alignment: Alignment): Ns | null => offsetFor(alignment, here, beside, marks);
  return (
    <select
      className="field small"
      aria-label={`How ${summary.name} is aligned`}
      value={alignmentOf(offset, here, beside, marks) ?? ''}
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

/** When the first event of a trace passes the filter; null: none does, it is not known yet, or there is no filter. */
function useFirstPassing(engine: EngineClient, key: string): Ns | null {
  const expression = expressionOf(useView((view) => view.filter));
  const query = { type: 'event_hit_at', expression, at: ns(0), cpu: null, direction: 1 } as const;
  const { answer } = useQuery(engine, key, expression === '' ? null : query);
  return answer?.hit?.at ?? null;
}

/** The topology of traces beside the first: only the first trace has one. */
const NO_MACHINE = { get: () => null, subscribe: () => () => {} };

/** The view's selection is a run of the first trace. */
const NOT_SELECTED = { get: () => noRun, subscribe: () => () => {}, selectKnown: () => {} };
