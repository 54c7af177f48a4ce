/** What a trace has of sched_ext, asked once for all who show it; and the tab of it, as a part of the view. */
import type { AnswerTo, EngineClient } from '../engine/client';
import type { Metadata, Query } from '../engine/protocol';

/** What the tab of sched_ext shows. */
export interface SchedExtView {
  /** The time slice that runs are compared with. */
  readonly sliceUs: number;
  /** The command whose runs the histogram has; empty: all. */
  readonly comm: string;
}

/** The slice is `SCX_SLICE_DFL` of kernel/sched/ext.c. */
export const initialSchedExt: SchedExtView = { sliceUs: 20_000, comm: '' };
export const MAX_SLICE_US = 1_000_000;
export const MAX_SCHED_EXT_COMM = 16;

/** Whether the file has dispatch queues: scxtop writes them. */
export const hasQueues = ({ writer }: Pick<Metadata, 'writer'>): boolean => writer === 'scxtop';

/** Whether there is anything of sched_ext. `systems`: those of the trace's events. */
export const hasSchedExt = (systems: readonly string[], metadata: Pick<Metadata, 'writer'>): boolean =>
  systems.includes('sched_ext') || hasQueues(metadata);

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
