import { type ReactNode, useMemo } from 'react';
import { formatCpuList } from '../base/cpuList';
import { formatCount, plural } from '../base/format';
import { Prose } from '../components/Prose';
import type { Summary } from '../engine/protocol';
import { damageInWords } from '../page/diagnostics/damageWords';
import { type DiagnosticGroup, groupDiagnostics } from '../page/diagnostics/diagnosticGroups';
import { goTo } from '../page/navigate';
import { sentence } from '../page/words';
import { clockOf } from '../state/traces';
import { usePage } from './context';
import { Time } from './Facts';
import { useOrigin } from './useOrigin';

/** Lists what is wrong with the trace: how often, what was done about it, and links to places. Nothing is concealed. */
export function DiagnosticsList({ summary }: { readonly summary: Summary }): ReactNode {
  const { damage, diagnostics, lost_events: lostEvents, lost_gaps: lostGaps } = summary;
  const origin = useOrigin();
  const clock = useMemo(() => clockOf(summary), [summary]);
  const groups = useMemo(() => groupDiagnostics(diagnostics), [diagnostics]);
  return (
    <div className="details">
      {damage && <p className="lost">{damageInWords(damage, clock, origin)}</p>}
      {lostGaps > 0 && !damage?.cut && (
        <p className="lost">
          {lostEvents > 0 ? plural(lostEvents, 'event') : 'An unknown number of events'} lost in{' '}
          {plural(lostGaps, 'gap')}. Hatched: unknown until the CPU’s next switch.
        </p>
      )}
      {groups.length === 0
        ? lostGaps === 0 && <p className="hint">Nothing was found wrong with this trace.</p>
        : groups.map((group) => <Group key={`${group.claim} ${group.policy}`} group={group} summary={summary} />)}
    </div>
  );
}

function Group({ group, summary }: { readonly group: DiagnosticGroup; readonly summary: Summary }): ReactNode {
  const page = usePage();
  const origin = useOrigin();
  const clock = useMemo(() => clockOf(summary), [summary]);
  const { claim, policy, count, cpus, places } = group;
  return (
    <section className="diagnostic" aria-label={sentence(claim)}>
      <span className="badge">{formatCount(count)}</span>
      <div>
        <div>
          <Prose text={sentence(claim)} />
        </div>
        {policy && <div className="muted">What is done: {policy}.</div>}
        {cpus.length > 1 && <div className="muted">On CPUs {formatCpuList(cpus)}</div>}
        {places.length > 0 && (
          <ul className="diagnostic-places" aria-label={places.length < count ? 'The first places' : 'Places'}>
            {places.map(({ cpu, at }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: one time and CPU may have several, and none ever moves.
              <li key={index} className="nowrap">
                {cpu === null ? (
                  <Time clock={clock} at={at} origin={origin} />
                ) : (
                  <button
                    type="button"
                    className="link"
                    title="Show it on the lanes"
                    onClick={() => void goTo(page, cpu, at)}
                  >
                    <Time clock={clock} at={at} origin={origin} /> on CPU {cpu}
                  </button>
                )}
              </li>
            ))}
            {places.length < count && <li className="muted">the first {formatCount(places.length)}</li>}
          </ul>
        )}
      </div>
    </section>
  );
}
