import { Fragment, type ReactNode } from 'react';
import { exactDuration, formatTime } from '../base/format';
import { absoluteText, type TraceClock } from '../base/traceTime';
import type { Ns } from '../base/units';
import type { Cpu } from '../engine/protocol';
import { goTo } from '../page/navigate';
import type { ArrowsOf } from '../state/findings';
import { usePage } from './context';
import './details.css';

/** Names and values in two columns; facts without a value are left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }): ReactNode {
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}

/** A time counted from time 0, with the trace's own time as its tooltip. */
export function Time({
  clock,
  at,
  origin,
}: {
  readonly clock: TraceClock;
  readonly at: Ns;
  readonly origin: Ns;
}): ReactNode {
  return (
    <span className="nowrap" title={`Trace time ${absoluteText(clock, at)}${clock.isNs ? ' s' : ' ticks'}`}>
      {formatTime(clock, at, origin)}
    </span>
  );
}

export function Duration({ clock, of }: { readonly clock: TraceClock; readonly of: number }): ReactNode {
  return <span className="nowrap">{exactDuration(clock, of)}</span>;
}

interface RunLinkProps {
  readonly cpu: Cpu;
  readonly at: Ns;
  readonly title: string;
  /** Which arrows the lanes then draw; by default those of the run's wakeup chain. */
  readonly along?: ArrowsOf;
  /** Whether to make a text of a letter or two large enough for a finger. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** A link that moves the view to a run and selects it. */
export function RunLink({ cpu, at, title, along, wide, children }: RunLinkProps): ReactNode {
  const page = usePage();
  return (
    <button
      type="button"
      className={wide ? 'link wide' : 'link'}
      title={title}
      onClick={() => void goTo(page, cpu, at, along)}
    >
      {children}
    </button>
  );
}
