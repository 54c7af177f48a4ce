import type { ReactNode } from 'react';
import { useObservable } from '../components/useObservable';
import { usePage } from './context';

/** What the user should know but need not act on; stays until it is dismissed. */
export function Notices(): ReactNode {
  const page = usePage();
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
    </div>
  );
}
