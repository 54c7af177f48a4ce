import type { ReactNode } from 'react';
import { formatCount } from '../base/format';
import { Tabs } from '../components/Tabs';
import type { DetailsTab } from '../state/details';
import { usePage, useSession, useView } from './context';
import { DiagnosticsList } from './DiagnosticsList';
import { FindingsPane } from './findings/FindingsPane';
import { useFindings } from './findings/useFindings';
import { LatencyPane } from './latency/LatencyPane';
import { RangeDetails } from './RangeDetails';
import { SelectionDetails } from './SelectionDetails';
import { TraceFacts } from './TraceFacts';

/** What is worth a look, what is selected, and what else there is to say about the trace. */
export function DetailsPane(): ReactNode {
  const { store } = usePage();
  const session = useSession();
  const active = useView(({ tab }) => tab);
  const findings = useFindings();
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
          { id: 'findings', text: 'Findings' },
          { id: 'selection', text: 'Selection' },
          { id: 'range', text: 'Range' },
          { id: 'latency', text: 'Latency' },
          { id: 'diagnostics', text: 'Diagnostics', badge: noted > 0 ? formatCount(noted) : null },
          { id: 'trace', text: 'Trace' },
        ]}
        active={active}
        onChange={(tab) => store.dispatch({ type: 'tab', tab })}
      >
        {active === 'findings' && <FindingsPane summary={summary} list={findings} />}
        {active === 'selection' && <SelectionDetails summary={summary} />}
        {active === 'range' && <RangeDetails summary={summary} />}
        {active === 'latency' && <LatencyPane summary={summary} />}
        {active === 'diagnostics' && <DiagnosticsList summary={summary} />}
        {active === 'trace' && <TraceFacts summary={summary} />}
      </Tabs>
    </section>
  );
}
