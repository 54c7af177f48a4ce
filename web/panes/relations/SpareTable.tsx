import { type ReactNode, useMemo, useRef } from 'react';
import { formatDuration } from '../../base/format';
import type { TimeWindow } from '../../base/units';
import { Table } from '../../components/Table';
import type { SpareCpu, SpareReport, Summary } from '../../engine/protocol';
import { showCpus } from '../../page/chosenCpus';
import { clockOf } from '../../state/traces';
import { usePage, useView } from '../context';
import { CopyMenu } from '../stats/CopyMenu';
import { spareColumns } from './relationColumns';

interface SpareTableProps {
  readonly report: SpareReport;
  readonly summary: Summary;
  readonly window: TimeWindow | null;
  readonly busy: boolean;
}

/** What each CPU had part in while tasks waited behind others and some CPU was spare. */
export function SpareTable({ report, summary, window, busy }: SpareTableProps): ReactNode {
  const page = usePage();
  const shown = useView((view) => view.cpus);
  const clock = useMemo(() => clockOf(summary), [summary]);
  const columns = useMemo(() => spareColumns(clock), [clock]);
  const listed = useRef<readonly SpareCpu[]>([]);
  const pick = ({ cpu }: SpareCpu): void => {
    const cpus = shown.includes(cpu) ? shown.filter((other) => other !== cpu) : [...shown, cpu];
    // Without any, all CPUs have lanes.
    showCpus(page, cpus.length > 0 ? cpus.sort((a, b) => a - b) : summary.cpus);
  };
  return (
    <section>
      <p className="hint">
        For {formatDuration(clock, report.behind_ns)} some task queued behind another while some CPU was spare, at a
        cost of {formatDuration(clock, report.behind_cost_task_ns)} of task time. A click gives a CPU a lane, another
        takes it back.
      </p>
      <div className="latency-by">
        <h3>By CPU</h3>
        <span className="spacer" />
        <CopyMenu summary={summary} what="spare CPUs" columns={columns} rows={listed} window={window} />
      </div>
      <div className="relations-table tall">
        <Table<SpareCpu>
          label="Spare CPUs"
          columns={columns}
          rows={report.cpus}
          keyOf={({ cpu }) => `${cpu}`}
          initialSort={{ column: 'spare_ns', descending: true }}
          isSelected={({ cpu }) => shown.includes(cpu)}
          onPick={pick}
          onOpen={pick}
          listed={listed}
          busy={busy}
          empty={busy ? 'Counting…' : 'There are none here.'}
        />
      </div>
    </section>
  );
}
