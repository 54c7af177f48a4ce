/** What a trace has of system calls and interrupts, asked once for all who show them. */
import type { EngineClient } from '../engine/client';
import type { CallFactsAnswer } from '../engine/protocol';

interface Held {
  readonly session: number;
  facts: CallFactsAnswer | null;
  readonly waiting: Set<() => void>;
}

const held = new WeakMap<EngineClient, Held>();

/** The facts of the open trace; null as long as they are not known: then `arrived` is called once they are. */
export function callFacts(engine: EngineClient, arrived: () => void): CallFactsAnswer | null {
  let known = held.get(engine);
  if (known?.session !== engine.session) {
    const asked: Held = { session: engine.session, facts: null, waiting: new Set() };
    held.set(engine, asked);
    known = asked;
    void engine.query('facts/calls', { type: 'call_facts' }).then((outcome) => {
      if (outcome.kind !== 'answer') return;
      asked.facts = outcome.answer;
      for (const listener of asked.waiting) listener();
      asked.waiting.clear();
    });
  }
  if (known.facts === null) known.waiting.add(arrived);
  return known.facts;
}
