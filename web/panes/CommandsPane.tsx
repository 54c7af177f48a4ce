import type { ReactNode } from 'react';
import { useSession } from './context';
import { Commands } from './later';

/** The legend of colour by command, as a table of commands with when, how long and how often they ran. */
export function CommandsPane(): ReactNode {
  const session = useSession();
  return (
    <section className="pane" aria-label="Commands">
      {session.kind === 'open' ? (
        <Commands summary={session.summary} />
      ) : (
        <header className="pane-head">
          <h2>Commands</h2>
        </header>
      )}
    </section>
  );
}
