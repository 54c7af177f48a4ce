import type { ReactNode } from 'react';
import { exactDuration, formatCount } from '../base/format';
import type { TraceClock } from '../base/traceTime';
import type { Ns } from '../base/units';
import { Fold } from '../components/Fold';
import { type Chain, isInterrupt, type WakeupEdge } from '../engine/protocol';
import { chainEndInWords, contextInWords, taskName, wakerInWords } from '../page/words';
import { MOST_FORWARD } from '../timeline/overlay/arrows';
import { RunLink, Time } from './Facts';

interface WakeupChainProps {
  readonly chain: Chain;
  readonly clock: TraceClock;
  readonly origin: Ns;
}

/** The wakeups that led to this run, back to their cause, and those that it made. Every hop links to its run. */
export function WakeupChain({ chain, clock, origin }: WakeupChainProps): ReactNode {
  const more = chain.forward_total - chain.forward.length;
  return (
    <>
      <section aria-label="Wakeup chain">
        <Fold name="chain" title={<h3 title="[ and ] go along it; C shows lanes of its tasks">Wakeup chain</h3>}>
          <ol className="chain">
            {chain.back.map((hop) => (
              <li key={`${hop.at_ns}-${hop.wakee.task}`}>
                <BackHop hop={hop} clock={clock} origin={origin} />
              </li>
            ))}
          </ol>
          <p className="chain-end">{chainEndInWords[chain.ends_at]}</p>
        </Fold>
      </section>
      <section aria-label="Woken by this run">
        <Fold
          name="woke"
          title={
            <h3>
              Woke <span className="muted">{formatCount(chain.forward_total)}</span>
            </h3>
          }
        >
          <ol className="chain forward">
            {chain.forward.map((hop) => (
              <li key={`${hop.at_ns}-${hop.wakee.task}`}>
                <ForwardHop hop={hop} clock={clock} origin={origin} />
              </li>
            ))}
          </ol>
          {more > 0 && <p className="chain-end">and {formatCount(more)} more</p>}
          {chain.forward_total > MOST_FORWARD && (
            <p className="chain-end">Arrows lead to the first {formatCount(MOST_FORWARD)} of these wakeups.</p>
          )}
        </Fold>
      </section>
    </>
  );
}

interface HopProps {
  readonly hop: WakeupEdge;
  readonly clock: TraceClock;
  readonly origin: Ns;
}

function BackHop({ hop, clock, origin }: HopProps): ReactNode {
  const waker = wakerInWords(hop);
  const interrupt = isInterrupt(hop.context);
  return (
    <>
      <div>
        {hop.waker_run_ns === null ? (
          <strong>{waker}</strong>
        ) : (
          <RunLink
            cpu={hop.waker_cpu}
            at={hop.waker_run_ns}
            title={`Go to the run of ${waker} on CPU ${hop.waker_cpu}`}
          >
            {waker}
          </RunLink>
        )}{' '}
        <span className={interrupt ? 'interrupt' : 'muted'}>
          CPU {hop.waker_cpu}, {contextInWords[hop.context]}
        </span>
      </div>
      <div className="muted">
        woke {taskName(hop.wakee.comm, hop.wakee.pid)} at <Time clock={clock} at={hop.at_ns} origin={origin} />
        {latencyInWords(hop, clock)}
      </div>
    </>
  );
}

function ForwardHop({ hop, clock, origin }: HopProps): ReactNode {
  const wakee = taskName(hop.wakee.comm, hop.wakee.pid);
  return (
    <>
      <div>
        {hop.running_ns === null || hop.cpu === null ? (
          <strong>{wakee}</strong>
        ) : (
          <RunLink cpu={hop.cpu} at={hop.running_ns} title={`Go to the run of ${wakee} on CPU ${hop.cpu}`}>
            {wakee}
          </RunLink>
        )}{' '}
        {hop.cpu !== null && <span className="muted">CPU {hop.cpu}</span>}
      </div>
      <div className="muted">
        at <Time clock={clock} at={hop.at_ns} origin={origin} />
        {hop.context === 'task' ? '' : ` ${contextInWords[hop.context]}`}
        {latencyInWords(hop, clock)}
      </div>
    </>
  );
}

function latencyInWords(hop: WakeupEdge, clock: TraceClock): string {
  return hop.latency_ns === null || hop.cpu === null
    ? ', not seen on a CPU after that'
    : `, on CPU ${hop.cpu} after ${exactDuration(clock, hop.latency_ns)}`;
}
