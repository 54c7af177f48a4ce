import type { ReactNode } from 'react';
import { formatCount } from '../base/format';
import { Tabs } from '../components/Tabs';
import { useObservable } from '../components/useObservable';
import type { Summary } from '../engine/protocol';
import { nothingToCount } from '../page/words';
import { DETAILS_TABS, type DetailsTab } from '../state/details';
import { hasSchedExt } from '../state/schedExt';
import { metadataOf } from '../state/traces';
import { CommandsPane } from './CommandsPane';
import { usePage, useSession, useView } from './context';
import { useFindings } from './findings/useFindings';
import {
  ComparePane,
  DiagnosticsList,
  EarlySelection,
  FilterNote,
  FindingsPane,
  InstantPane,
  LatencyPane,
  PairsPane,
  RangeDetails,
  RelationsPane,
  SchedExtPane,
  SelectionDetails,
  SyscallsPane,
  TraceFacts,
} from './later';

interface DetailsTabParts {
  readonly text: string;
  /** The content of the tab. */
  readonly panel: (summary: Summary, findings: ReturnType<typeof useFindings>) => ReactNode;
}

const TABS: Readonly<Record<DetailsTab, DetailsTabParts>> = {
  findings: { text: 'Findings', panel: (summary, findings) => <FindingsPane summary={summary} list={findings} /> },
  commands: { text: 'Commands', panel: () => <CommandsPane /> },
  selection: { text: 'Selection', panel: (summary) => <SelectionDetails summary={summary} /> },
  instant: { text: 'Instant', panel: (summary) => <InstantPane summary={summary} /> },
  range: { text: 'Range', panel: (summary) => <RangeDetails summary={summary} /> },
  latency: { text: 'Latency', panel: (summary) => <LatencyPane summary={summary} /> },
  relations: { text: 'Relations', panel: (summary) => <RelationsPane summary={summary} /> },
  syscalls: { text: 'Syscalls', panel: (summary) => <SyscallsPane summary={summary} /> },
  pairs: { text: 'Pairs', panel: (summary) => <PairsPane summary={summary} /> },
  sched_ext: { text: 'sched_ext', panel: (summary) => <SchedExtPane summary={summary} /> },
  compare: { text: 'Compare', panel: (summary) => <ComparePane summary={summary} /> },
  diagnostics: { text: 'Diagnostics', panel: (summary) => <DiagnosticsList summary={summary} /> },
  trace: { text: 'Trace', panel: (summary) => <TraceFacts summary={summary} /> },
};

/** Tabs whose numbers are made of the scheduler's events alone. */
const OF_SCHEDULER: ReadonlySet<DetailsTab> = new Set([
  'findings',
  'selection',
  'instant',
  'range',
  'latency',
  'relations',
  'compare',
]);

interface DetailsPaneProps {
  /** Whether the commands are a tab, because they have no pane. */
  readonly withCommands: boolean;
}

/** The tabs with findings, with the selection, and with everything else about the trace. */
export function DetailsPane({ withCommands }: DetailsPaneProps): ReactNode {
  const { engine, store, traces } = usePage();
  const session = useSession();
  const wanted = useView(({ tab }) => tab);
  const active = wanted === 'commands' && !withCommands ? 'findings' : wanted;
  const hasSelection = useView(({ selection }) => selection !== null);
  const findings = useFindings();
  const systems = useObservable(engine.systems);
  const isAlone = useObservable(traces).length === 1;
  if (session.kind !== 'open') {
    const metadata = metadataOf(session);
    return (
      <section className="pane" aria-label="Details">
        {metadata && hasSelection && <EarlySelection metadata={metadata} />}
      </section>
    );
  }
  const { summary } = session;
  // A tab that a link names stays, though what it shows may not be there.
  const isShown: Partial<Record<DetailsTab, boolean>> = {
    commands: withCommands,
    compare: !isAlone,
    sched_ext: hasSchedExt(systems, summary),
  };
  const nothing = nothingToCount(summary);
  const noted = summary.diagnostics.reduce((sum, { count }) => sum + count, 0);
  return (
    <section className="pane" aria-label="Details">
      <Tabs<DetailsTab>
        label="Details"
        tabs={DETAILS_TABS.filter((id) => (isShown[id] ?? true) || active === id).map((id) => ({
          id,
          text: TABS[id].text,
          badge: id === 'diagnostics' && noted > 0 ? formatCount(noted) : null,
        }))}
        active={active}
        onChange={(tab) => store.dispatch({ type: 'tab', tab })}
      >
        <FilterNote of={active} />
        {OF_SCHEDULER.has(active) && nothing !== null ? (
          <p className="hint">{nothing}</p>
        ) : (
          TABS[active].panel(summary, findings)
        )}
      </Tabs>
    </section>
  );
}
