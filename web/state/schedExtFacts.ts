/** What a trace has of sched_ext, asked once for all who show it. */
import type { AnswerTo, EngineClient } from '../engine/client';
import type { Query } from '../engine/protocol';

interface Held<A> {
  readonly session: number;
  answer: A | null;
  settled: boolean;
  readonly waiting: Set<() => void>;
}

/** Asks a question about the open trace once; null as long as there is no answer: then `arrived` is called once there is. */
function askedOnce<Q extends Query>(key: string, query: Q) {
  const held = new WeakMap<EngineClient, Held<AnswerTo<Q>>>();
  return (engine: EngineClient, arrived: () => void): AnswerTo<Q> | null => {
    let known = held.get(engine);
    if (known?.session !== engine.session) {
      const asked: Held<AnswerTo<Q>> = { session: engine.session, answer: null, settled: false, waiting: new Set() };
      held.set(engine, asked);
      known = asked;
      void engine.query(key, query).then((outcome) => {
        asked.settled = true;
        if (outcome.kind !== 'answer') return;
        asked.answer = outcome.answer;
        for (const listener of asked.waiting) listener();
        asked.waiting.clear();
      });
    }
    if (!known.settled) known.waiting.add(arrived);
    return known.answer;
  };
}

/** What its events tell of the whole trace. */
export const schedExtEvents = askedOnce('facts/sched_ext', { type: 'sched_ext_events', window: null } as const);

/** Dispatch queues over time. */
export const dispatchQueues = askedOnce('facts/queues', { type: 'queues' } as const);
