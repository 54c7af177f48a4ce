/** What a trace has of sched_ext, asked once for all who show it. */
import type { AnswerTo, EngineClient } from '../engine/client';
import type { Query } from '../engine/protocol';

interface Held<A> {
  readonly session: number;
  answer: A | null;
  isAsking: boolean;
  /** How often it was asked. */
  tries: number;
  readonly waiting: Set<() => void>;
}

/** How often a question is asked in vain. */
const MOST_TRIES = 3;

/**
 * Asks a question about the open trace until there is an answer; null as long as there is none. `arrived` is called once there is
 * one, or once it is time to ask again.
 */
function askedOnce<Q extends Query>(key: string, query: Q) {
  const held = new WeakMap<EngineClient, Held<AnswerTo<Q>>>();
  return (engine: EngineClient, arrived: () => void): AnswerTo<Q> | null => {
    const { session } = engine;
    const before = held.get(engine);
    const known: Held<AnswerTo<Q>> =
      before?.session === session ? before : { session, answer: null, isAsking: false, tries: 0, waiting: new Set() };
    held.set(engine, known);
    if (known.answer === null && !known.isAsking && known.tries < MOST_TRIES) {
      known.isAsking = true;
      known.tries++;
      void engine.query(key, query).then((outcome) => {
        known.isAsking = false;
        if (outcome.kind === 'answer') known.answer = outcome.answer;
        const listeners = [...known.waiting];
        known.waiting.clear();
        // Another trace has other listeners.
        if (engine.session === session) for (const listener of listeners) listener();
      });
    }
    if (known.isAsking) known.waiting.add(arrived);
    return known.answer;
  };
}

/** What its events tell of the whole trace. */
export const schedExtEvents = askedOnce('facts/sched_ext', { type: 'sched_ext_events', window: null } as const);

/** Dispatch queues over time. */
export const dispatchQueues = askedOnce('facts/queues', { type: 'queues' } as const);
