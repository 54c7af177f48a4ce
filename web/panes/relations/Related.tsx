import { type ReactNode, useMemo, useRef } from 'react';
import { formatCount, formatDuration } from '../../base/format';
import type { TimeWindow } from '../../base/units';
import { Table } from '../../components/Table';
import type { RelatedPair, StudyAnswer, Summary } from '../../engine/protocol';
import { goToRelated } from '../../page/relations/goToRelated';
import { endId, inOrder } from '../../page/relations/words';
import { leftOut } from '../../page/words';
import type { RelationsView } from '../../state/relations';
import { clockOf } from '../../state/traces';
import { usePage, useView } from '../context';
import { CopyMenu } from '../stats/CopyMenu';
import { Distances } from './Distances';
import { MatrixMap } from './MatrixMap';
import { pairColumns } from './relationColumns';

interface RelatedProps {
  readonly answer: Extract<StudyAnswer, { readonly type: 'wakes' | 'took' }>;
  readonly view: RelationsView;
  readonly summary: Summary;
  readonly window: TimeWindow | null;
  readonly busy: boolean;
}

const pairId = ({ from, to }: RelatedPair): string => `${endId(from)} ${endId(to)}`;

/** A relation: the matrix, the list of its pairs, and what all of it adds up to. */
export function Related({ answer, view, summary, window, busy }: RelatedProps): ReactNode {
  const page = usePage();
  const selection = useView((state) => state.selection);
  const clock = useMemo(() => clockOf(summary), [summary]);
  const listed = useRef<readonly RelatedPair[]>([]);
  const isWakes = answer.type === 'wakes';
  const { report } = answer;
  const matrix = useMemo(() => inOrder(report.matrix), [report]);
  const columns = useMemo(() => pairColumns(clock, isWakes, view.by), [clock, isWakes, view.by]);
  const go = (pair: Parameters<typeof goToRelated>[1]): void => void goToRelated(page, pair);
  return (
    <>
      {isWakes ? (
        <p className="hint">
          {formatCount(answer.report.count)} wakeups led to a run. Rows wake columns; the stronger, the more often.{' '}
          {leftOut(answer.report.uncertain.count)}
        </p>
      ) : (
        <p className="hint">
          Tasks waited for {formatDuration(clock, answer.report.waiting_ns)} in all, of this for{' '}
          {formatDuration(clock, answer.report.behind_ns)} behind others while some CPU was spare, and for{' '}
          {formatDuration(clock, answer.report.idle_ns)} while their CPU was waking up for them.{' '}
          {view.by === 'cpu'
            ? 'Rows: the CPU that they waited for; columns: where they then ran.'
            : 'Rows had the CPU while columns waited.'}
          {answer.report.uncertain_ns > 0 &&
            ` Of the waiting, ${formatDuration(clock, answer.report.uncertain_ns)} are uncertain: records are missing meanwhile.`}
        </p>
      )}
      {matrix.cells.length > 0 && (
        <MatrixMap matrix={matrix} measure={isWakes ? 'count' : 'ns'} clock={clock} onPick={go} />
      )}
      <section>
        <div className="latency-by">
          <h3>{isWakes ? 'Pairs, most wakeups first' : 'Pairs, most time first'}</h3>
          <span className="spacer" />
          <CopyMenu
            summary={summary}
            what={isWakes ? 'wakeups by pair' : 'waits by pair'}
            columns={columns}
            rows={listed}
            window={window}
          />
        </div>
        <div className="relations-table">
          <Table<RelatedPair>
            label={isWakes ? 'Wakers and wakees' : 'Who had the CPU while which task waited'}
            columns={columns}
            rows={report.pairs}
            keyOf={pairId}
            initialSort={{ column: isWakes ? 'count' : 'ns', descending: true }}
            isSelected={({ run }) => run !== null && selection?.cpu === run.cpu && selection.start === run.start_ns}
            onPick={go}
            onOpen={go}
            listed={listed}
            busy={busy}
            empty={busy ? 'Counting…' : 'There are none here.'}
          />
        </div>
        {report.pairs.length < report.pairs_total && (
          <p className="hint small">
            The first {formatCount(report.pairs.length)} of {formatCount(report.pairs_total)} pairs.
          </p>
        )}
      </section>
      {isWakes && <Distances report={answer.report} clock={clock} />}
    </>
  );
}
