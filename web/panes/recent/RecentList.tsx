import type { ReactNode } from 'react';
import { formatBytes } from '../../base/format';
import { useObservable } from '../../components/useObservable';
import { recentOf } from '../../page/recent/recentTraces';
import { usePage } from '../context';
import './recent.css';

interface RecentListProps {
  /** Lets the user choose a file. */
  readonly openFile: () => void;
  /** Only this one. */
  readonly fingerprint?: string;
}

/** The traces that were open last in this browser, to be opened again. */
export function RecentList({ openFile, fingerprint }: RecentListProps): ReactNode {
  const recent = recentOf(usePage());
  const list = useObservable(recent.list).filter(
    (trace) => fingerprint === undefined || trace.fingerprint === fingerprint,
  );
  if (list.length === 0) return null;
  return (
    <section className="recent" aria-label="Recent traces">
      <h3>{fingerprint === undefined ? 'Recent traces' : 'It was open in this browser'}</h3>
      <ul>
        {list.map((trace) => (
          <li key={trace.fingerprint}>
            <button type="button" className="link" onClick={() => void recent.open(trace, openFile)}>
              {trace.name}
            </button>{' '}
            <span className="muted">
              {formatBytes(trace.size)}, {new Date(trace.opened).toLocaleDateString('en-GB')}
              {trace.query === null && trace.handle === undefined && ': has to be chosen again'}
            </span>
          </li>
        ))}
      </ul>
      {fingerprint === undefined && (
        <button type="button" className="link" onClick={() => void recent.forget()}>
          Forget these
        </button>
      )}
    </section>
  );
}
