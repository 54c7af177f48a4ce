/** What a trace has of system calls and interrupts, asked once for all who show them. */
import type { EngineClient } from '../engine/client';
import type { CallFactsAnswer } from '../engine/protocol';

interface Held {
  readonly session: number;
  /** Calls may get other names while the trace is open. */
  readonly revision: number;
  facts: CallFactsAnswer | null;
  isLatest: boolean;
  /** When they may be asked again, after a failure; on the clock of the page, in ms. */
  againAt: number;
  readonly waiting: Set<() => void>;
}

/** Those who show them ask in each frame: after a failure the engine is asked again after this many ms. */
const AGAIN = 5000;

const held = new WeakMap<EngineClient, Held>();

/** Whether there are events of interrupts; false as long as it is not known. */
export const hasInterrupts = (facts: Pick<CallFactsAnswer, 'hardirqs' | 'softirqs' | 'vectors'> | null): boolean =>
  facts !== null && (facts.hardirqs || facts.softirqs || facts.vectors);

/** The facts of the open trace; null as long as they are not known. `arrived` is called once newer ones are. */
export function callFacts(engine: EngineClient, arrived: () => void): CallFactsAnswer | null {
  const { session, traceRevision: revision } = engine;
  let known = held.get(engine);
  if (known?.session !== session || known.revision !== revision || known.againAt <= performance.now()) {
    const { facts, waiting } = known?.session === session ? known : { facts: null, waiting: new Set<() => void>() };
    const asked: Held = { session, revision, facts, isLatest: false, againAt: Number.POSITIVE_INFINITY, waiting };
    held.set(engine, asked);
    known = asked;
    void engine.query('facts/calls', { type: 'call_facts' }).then((outcome) => {
      if (outcome.kind === 'failed') asked.againAt = performance.now() + AGAIN;
      if (outcome.kind !== 'answer') return;
      asked.facts = outcome.answer;
      asked.isLatest = true;
      for (const listener of asked.waiting) listener();
      asked.waiting.clear();
    });
  }
  if (!known.isLatest) known.waiting.add(arrived);
  return known.facts;
}
