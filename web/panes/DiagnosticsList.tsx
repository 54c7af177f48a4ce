import { type ReactNode, useMemo } from 'react';
import { formatCount, plural } from '../base/format';
import type { Summary } from '../engine/protocol';
import { clockOf } from '../state/session';
import { usePage } from './context';
import { Time } from './Facts';
import { goTo } from './navigate';
import { useOrigin } from './useOrigin';
import { sentence } from './words';

/** What is wrong with the trace: counted, with where and when. Nothing of it is smoothed over on the lanes. */
export function DiagnosticsList({ summary }: { readonly summary: Summary }): ReactNode {
  const page = usePage();
  const origin = useOrigin();
  const clock = useMemo(() => clockOf(summary), [summary]);
  const { diagnostics, lostEvents, lostGaps } = summary;
  return (
    <div className="details">
      {lostGaps > 0 && (
        <p className="lost">
          {lostEvents > 0 ? plural(lostEvents, 'event') : 'An unknown number of events'} lost in{' '}
          {plural(lostGaps, 'gap')}. Each CPU is unknown, and hatched, from its gap to its next switch.
        </p>
      )}
      {diagnostics.length === 0 ? (
        lostGaps === 0 && <p className="hint">Nothing was found wrong with this trace.</p>
      ) : (
        <ul className="diagnostics">
          {diagnostics.map(({ kind, cpu, atNs, count, text }) => (
            <li key={`${kind} ${cpu} ${atNs} ${text}`}>
              <span className="badge">{formatCount(count)}</span>
              <div>
                <div>{sentence(text)}</div>
                <div className="muted">
                  {cpu !== null && `CPU ${cpu} `}
                  {atNs !== null &&
                    (cpu === null ? (
                      <Time clock={clock} at={atNs} origin={origin} />
                    ) : (
                      <button type="button" className="link" onClick={() => void goTo(page, cpu, atNs)}>
                        <Time clock={clock} at={atNs} origin={origin} />
                      </button>
                    ))}
                  {count > 1 && atNs !== null && ' (the first)'}
                </div>
              </div>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
