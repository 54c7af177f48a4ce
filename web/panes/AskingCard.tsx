import type { ReactNode } from 'react';
import type { Origin } from '../state/traces';
import { usePage } from './context';

interface AskingProps {
  readonly origin: Origin;
  /** Origins of servers, as `https://host:port`. */
  readonly hosts: readonly string[];
  readonly openFile: () => void;
}

/** Asks before a link fetches from another server than the page's: that server learns of the visit. */
export function AskingCard({ origin, hosts, openFile }: AskingProps): ReactNode {
  const page = usePage();
  const names = hosts.map((host) => new URL(host).host);
  const [name = ''] = names;
  const servers = names.length === 1 ? name : `${names.length} servers`;
  return (
    <div className="card-layer">
      <section className="card" role="alertdialog" aria-label="Fetch a trace from another server">
        <h2>
          Fetch {names.length === 1 ? `“${origin.name}”` : 'traces'} from {servers}?
        </h2>
        <p>
          This link opens a trace that is stored on another server. If you fetch it, that server learns your network
          address, the time, and that you use Corelane at {window.location.host}. Your own traces and what you look at
          stay on this machine.
        </p>
        <ul>
          {hosts.map((host) => (
            <li key={host}>
              <code>{host}</code>
            </li>
          ))}
        </ul>
        <div className="card-buttons">
          <button type="button" className="button primary" onClick={() => page.allowHosts()}>
            Fetch from {servers}
          </button>
          <button type="button" className="button" onClick={() => page.refuseHosts()}>
            Do not fetch
          </button>
          <button type="button" className="button" onClick={openFile}>
            Open another trace…
          </button>
        </div>
      </section>
    </div>
  );
}
