import { type ReactNode, useState } from 'react';
import { Prose } from '../components/Prose';
import { useObservable } from '../components/useObservable';
import type { Damage, Summary } from '../engine/protocol';
import { damageInWords } from '../page/diagnostics/damageWords';
import { clockOf } from '../state/traces';
import { usePage, useSession } from './context';
import { useOrigin } from './useOrigin';

/** Messages that the user should know but need not act on; each stays until it is dismissed. */
export function Notices(): ReactNode {
  const page = usePage();
  const session = useSession();
  const notices = useObservable(page.notices);
  return (
    <div className="notices">
      {session.kind === 'open' && session.summary.damage && (
        <DamageBanner key={`damage ${page.engine.session}`} summary={session.summary} damage={session.summary.damage} />
      )}
      {notices.map((notice) => (
        <div key={notice} className="notice">
          <p>
            <Prose text={notice} />
          </p>
          <button type="button" className="button quiet" onClick={() => page.dismiss(notice)}>
            Dismiss
          </button>
        </div>
      ))}
      {session.kind === 'open' && session.summary.sched_events === 0 && <NoSchedEvents key={page.engine.session} />}
    </div>
  );
}

interface DamageProps {
  readonly summary: Summary;
  readonly damage: Damage;
}

/** The notice that a large part of the records is missing, which affects everything on the page. */
function DamageBanner({ summary, damage }: DamageProps): ReactNode {
  const { store } = usePage();
  const origin = useOrigin();
  const [isDismissed, setDismissed] = useState(false);
  return isDismissed ? null : (
    <div className="notice" role="status">
      <p>
        <strong>{damageInWords(damage, clockOf(summary), origin)}</strong> What is unknown is hatched; findings that it
        touches are marked as uncertain.{' '}
        <button type="button" className="link" onClick={() => store.dispatch({ type: 'tab', tab: 'diagnostics' })}>
          Diagnostics
        </button>
      </p>
      <button type="button" className="button quiet" onClick={() => setDismissed(true)}>
        Dismiss
      </button>
    </div>
  );
}

/** The notice of a trace without scheduling events, which is not damaged: its list of events is worth a look. */
function NoSchedEvents(): ReactNode {
  const [isDismissed, setDismissed] = useState(false);
  return isDismissed ? null : (
    <div className="notice calm">
      <p>
        This trace has no scheduling events: what ran is unknown (hatched), and its events are in the list. To see
        tasks, record the scheduler: <code className="nowrap">trace-cmd record -e sched …</code>
      </p>
      <button type="button" className="button quiet" onClick={() => setDismissed(true)}>
        Dismiss
      </button>
    </div>
  );
}
