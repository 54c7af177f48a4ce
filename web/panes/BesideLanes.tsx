/** The lanes of the traces beside the first, below the first trace's lanes, on the same time axis. */
import { type ReactNode, useEffect, useRef } from 'react';
import { formatDuration } from '../base/format';
import { derived } from '../base/observable';
import { useObservable } from '../components/useObservable';
import { noRun } from '../state/selectedRun';
import { clockOf, metadataOf, noSession, type Trace } from '../state/traces';
import { usePage, useScene } from './context';

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
        <span className="spacer" />
        <button type="button" className="link" onClick={() => page.closeBeside(id)}>
          Close
        </button>
      </header>
      <div ref={element} className="scene" />
    </section>
  );
}

/** The topology of traces beside the first: only the first trace has one. */
const NO_MACHINE = { get: () => null, subscribe: () => () => {} };

/** The view's selection is a run of the first trace. */
const NOT_SELECTED = { get: () => noRun, subscribe: () => () => {}, offer: () => {} };
