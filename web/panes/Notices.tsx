import { type ReactNode, useState } from 'react';
import { useObservable } from '../components/useObservable';
import { usePage, useSession } from './context';

/** What the user should know but need not act on; stays until it is dismissed. */
export function Notices(): ReactNode {
  const page = usePage();
  const session = useSession();
  const notices = useObservable(page.notices);
  return (
    <div className="notices">
      {notices.map((notice) => (
        <div key={notice} className="notice">
          <p>{notice}</p>
          <button type="button" className="button quiet" onClick={() => page.dismiss(notice)}>
            Dismiss
          </button>
        </div>
      ))}
      {session.kind === 'open' && session.summary.schedEvents === 0 && <NoSchedEvents key={page.engine.session} />}
    </div>
  );
}

/** Nothing is wrong with such a trace: it is one for the list of events. */
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
