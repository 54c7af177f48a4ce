import type { ReactNode } from 'react';
import { exactDuration, formatCount, formatDuration, formatTime } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Ns } from '../../base/units';
import type { Cascade, Finding } from '../../engine/protocol';
import { findingInWords } from '../../page/findings/findingWords';
import { kindWords } from '../../page/findings/kindWords';
import { goToFinding } from '../../page/findings/stepFinding';
import { usePage } from '../context';
import { Doubt } from '../Doubt';
import { FindingDetail } from './FindingDetail';

interface FindingRowProps {
  readonly finding: Finding;
  /** The finding's number in the list, from 1. */
  readonly place: number;
  /** Its cost as a share of the greatest cost in the list. */
  readonly share: number;
  readonly isCurrent: boolean;
  readonly isTabStop: boolean;
  /** The cascade of the selected run. */
  readonly cascade: Cascade | null;
  readonly clock: TraceClock;
  readonly origin: Ns;
}

/** A finding: its cost, what it is, when and where; once it has been visited, further facts too. */
export function FindingRow(props: FindingRowProps): ReactNode {
  const { finding, clock, isCurrent } = props;
  const page = usePage();
  const { kind, cpu, folded, uncertain } = finding;
  const where = cpu === null ? '' : `, CPU ${cpu}`;
  return (
    <li className={isCurrent ? 'finding-item current' : 'finding-item'}>
      <button
        type="button"
        className="finding"
        tabIndex={props.isTabStop ? 0 : -1}
        aria-current={isCurrent}
        title={kindWords[kind].title}
        onClick={() => goToFinding(page, finding)}
      >
        <span className="finding-cost" title={exactDuration(clock, finding.cost_ns)}>
          <span className="visually-hidden">{`${props.place}. Cost `}</span>
          {formatDuration(clock, finding.cost_ns)}
          <span className="finding-bar" style={{ width: `${Math.max(2, 100 * props.share)}%` }} />
        </span>
        <span className="finding-text">
          <span>{findingInWords(finding, clock)}</span>
          <span className="muted finding-where">
            {uncertain && <Doubt />}
            <span className={`finding-kind ${kind}`}>{kindWords[kind].name}</span>
            {` at ${formatTime(clock, finding.start_ns, props.origin, 6)}${where}`}
            {folded > 0 && `, ${formatCount(folded)} more like it`}
          </span>
        </span>
      </button>
      {isCurrent && <FindingDetail finding={finding} cascade={props.cascade} clock={clock} origin={props.origin} />}
    </li>
  );
}
