import { type ReactNode, useEffect } from 'react';
import { formatCount } from '../base/format';
import { Tabs } from '../components/Tabs';
import type { Chain } from '../engine/protocol';
import { useQuery } from '../engine/useQuery';
import type { DetailsTab } from '../state/details';
import { usePage, useScene, useSession, useView } from './context';
import { DiagnosticsList } from './DiagnosticsList';
import { RangeDetails } from './RangeDetails';
import { SelectionDetails } from './SelectionDetails';
import { TraceFacts } from './TraceFacts';

/** So far back a chain is followed. */
const HOPS = 32;

/** What is selected, in words; and what there is to say about the trace. */
export function DetailsPane(): ReactNode {
  const { store } = usePage();
  const session = useSession();
  const active = useView(({ tab }) => (tab === 'findings' || tab === 'latency' ? 'selection' : tab));
  const chain = useChain();
  if (session.kind !== 'open') {
    return <section className="pane" aria-label="Details" />;
  }
  const { summary } = session;
  const noted = summary.diagnostics.reduce((sum, { count }) => sum + count, 0);
  return (
    <section className="pane" aria-label="Details">
      <Tabs<DetailsTab>
        label="Details"
        tabs={[
          { id: 'selection', text: 'Selection' },
          { id: 'range', text: 'Range' },
          { id: 'diagnostics', text: 'Diagnostics', badge: noted > 0 ? formatCount(noted) : null },
          { id: 'trace', text: 'Trace' },
        ]}
        active={active}
        onChange={(tab) => store.dispatch({ type: 'tab', tab })}
      >
        {active === 'selection' && <SelectionDetails summary={summary} chain={chain} />}
        {active === 'range' && <RangeDetails summary={summary} />}
        {active === 'diagnostics' && <DiagnosticsList summary={summary} />}
        {active === 'trace' && <TraceFacts summary={summary} />}
      </Tabs>
    </section>
  );
}

/** The wakeup chain of the selection; the lanes show it as arrows, whichever tab is open. */
function useChain(): Chain | null {
  const { engine } = usePage();
  const scene = useScene();
  const selection = useView((view) => view.selection);
  const query = useQuery(
    engine,
    'chain',
    selection && { type: 'chain', cpu: selection.cpu, at: selection.start, hops: HOPS },
  );
  const chain = query.answer?.chain ?? null;
  useEffect(() => scene.showChain(chain), [scene, chain]);
  return chain;
}
