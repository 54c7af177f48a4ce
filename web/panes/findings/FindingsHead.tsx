import type { ReactNode } from 'react';
import { formatCount, formatDuration, plural } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import { ns } from '../../base/units';
import { Segmented } from '../../components/Segmented';
import { Toggle } from '../../components/Toggle';
import { kindWords } from '../../page/findings/kindWords';
import { stepFinding } from '../../page/findings/stepFinding';
import { FINDING_KINDS, withKind } from '../../state/findings';
import { visibleWindow } from '../../state/viewState';
import { usePage, useView } from '../context';
import type { FindingsList } from './useFindings';

interface FindingsHeadProps {
  readonly list: FindingsList;
  readonly current: number;
  readonly clock: TraceClock;
}

/** Chooses which findings are listed, and steps from one to the next. */
export function FindingsHead({ list, current, clock }: FindingsHeadProps): ReactNode {
  const page = usePage();
  const { kinds } = useView((view) => view.findings);
  const listed = list.rows.length;
  const found = listed === 0 && list.pending ? 'Looking…' : plural(listed, 'finding');
  const place = current < 0 ? found : `${current + 1} of ${formatCount(listed)}`;
  return (
    <div className="findings-head">
      <div className="findings-bar">
        <span className="findings-place">{place}</span>
        <StepButton name="Previous" sign="‹" keyName="P" onClick={() => stepFinding(page, -1)} />
        <StepButton name="Next" sign="›" keyName="N" onClick={() => stepFinding(page, 1)} />
        <Within />
      </div>
      <fieldset
        className="findings-kinds"
        // Browsers leave a button where it is of which some part is in sight.
        onFocus={({ target }) => target.scrollIntoView({ block: 'nearest', inline: 'nearest' })}
      >
        <legend className="visually-hidden">Kinds of findings</legend>
        <button
          type="button"
          className={kinds.length === 0 ? 'button small on' : 'button small'}
          aria-pressed={kinds.length === 0}
          onClick={() => page.store.dispatch({ type: 'findings', change: { kinds: [] } })}
        >
          All
        </button>
        {FINDING_KINDS.map((kind) => {
          const on = kinds.includes(kind);
          const count = list.counts.get(kind) ?? 0;
          return count === 0 && !on ? null : (
            <button
              key={kind}
              type="button"
              className={on ? 'button small on' : 'button small'}
              aria-pressed={on}
              title={kindWords[kind].title}
              onClick={() => page.store.dispatch({ type: 'findings', change: { kinds: withKind(kinds, kind) } })}
            >
              {kindWords[kind].name} <span className="muted">{formatCount(count)}</span>
            </button>
          );
        })}
      </fieldset>
      <Movable />
      {list.overload && <OverloadSums list={list} clock={clock} />}
    </div>
  );
}

interface StepButtonProps {
  readonly name: string;
  readonly sign: string;
  readonly keyName: string;
  readonly onClick: () => void;
}

function StepButton({ name, sign, keyName, onClick }: StepButtonProps): ReactNode {
  return (
    <button
      type="button"
      className="button small"
      title={`${name} finding (${keyName})`}
      aria-label={`${name} finding`}
      aria-keyshortcuts={keyName}
      onClick={onClick}
    >
      {sign}
    </button>
  );
}

/** Lists findings of the whole trace, or of a part: the range, else the window at the time of the click. */
function Within(): ReactNode {
  const { store } = usePage();
  const within = useView((view) => view.findings.within);
  const range = useView((view) => view.range);
  const part = (): void => {
    const { start, end } = range ?? visibleWindow(store.getState(), store.getLimits());
    const rounded = { start: ns(Math.round(start)), end: ns(Math.round(end)) };
    store.dispatch({ type: 'findings', change: { within: rounded } });
  };
  return (
    <Segmented
      label="When"
      small
      options={[
        { value: 'ever', text: 'Whole trace' },
        {
          value: 'part',
          text: range ? 'Range' : 'Window',
          title: 'Only what happens in the selected range, else in the window that is on the screen now',
        },
      ]}
      value={within ? 'part' : 'ever'}
      onChange={(value) => (value === 'part' ? part() : store.dispatch({ type: 'findings', change: { within: null } }))}
    />
  );
}

/** Explains that traces lack affinity masks, and lets the user allow for it. */
function Movable(): ReactNode {
  const { store } = usePage();
  const movable = useView((view) => view.findings.movable);
  return (
    <>
      <p className="muted findings-caveat">
        A trace holds no affinity masks: a task that may not run on the idle CPUs looks like one that the scheduler
        forgot.
      </p>
      <Toggle
        text="Hide tasks that may be pinned"
        title="Leaves out tasks that were never seen on a second CPU: they may be pinned to theirs."
        on={movable}
        onChange={(on) => store.dispatch({ type: 'findings', change: { movable: on } })}
      />
    </>
  );
}

const LEAST = [0, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];

function OverloadSums({ list, clock }: { readonly list: FindingsList; readonly clock: TraceClock }): ReactNode {
  const { store } = usePage();
  const least = useView((view) => view.findings.least);
  const { overload } = list;
  if (!overload) {
    return null;
  }
  const options = LEAST.includes(least) ? LEAST : [...LEAST, least].sort((a, b) => a - b);
  return (
    <div className="findings-sums">
      <label className="labelled">
        At least
        <select
          className={least === 0 ? 'field small' : 'field small on'}
          value={least}
          onChange={(event) => store.dispatch({ type: 'findings', change: { least: ns(Number(event.target.value)) } })}
        >
          {options.map((value) => (
            <option key={value} value={value}>
              {value === 0 ? 'any length' : formatDuration(clock, value)}
            </option>
          ))}
        </select>
      </label>
      <span className="muted">
        {plural(overload.behind_count, 'interval')}, {formatDuration(clock, overload.behind_ns)} together,{' '}
        {formatDuration(clock, overload.behind_cost_task_ns)} of task time lost
        <span title="Tasks that waited only for their own idle CPU to wake up: no failure of work conservation, and not listed.">
          ; CPUs waking up: {formatDuration(clock, overload.leaving_idle_task_ns)}
        </span>
        {overload.bound_task_ns > 0 && (
          <span title="Kernel threads that are bound to a busy CPU waited there while other CPUs idled: no failure of work conservation, and not listed.">
            ; bound kernel threads: {formatDuration(clock, overload.bound_task_ns)}
          </span>
        )}
      </span>
    </div>
  );
}
