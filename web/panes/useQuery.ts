import { useEffect, useState, useSyncExternalStore } from 'react';
import type { AnswerTo, EngineClient, JobProgress } from '../engine/client';
import type { EngineError, Query } from '../engine/protocol';
import { isAboutTrace } from '../engine/questions';

/** The state of a query. The last answer stays until a newer one arrives, or until another trace is opened. */
export interface QueryState<A> {
  readonly answer: A | null;
  readonly error: EngineError | null;
  /** Whether a newer answer is on its way. */
  readonly pending: boolean;
  /** How far the job has come that answers it, from 0 to 1; null when that is unknown. */
  readonly progress: number | null;
}

const NOTHING = { answer: null, error: null, pending: false, progress: null } as const;
const WAITING = { answer: null, error: null, pending: true, progress: null } as const;

/**
 * Keeps the answer to `query` up to date: asks again when the query, the trace or the view changes. `null` asks
 * nothing. `key` is constant, and no two components that are mounted at the same time share one. `beside`: properties of the
 * query that are too large to be compared by content, and the same object as long as they are the same.
 */
export function useQuery<Q extends Query>(
  client: EngineClient,
  key: string,
  query: Q | null,
  beside?: Partial<Q>,
): QueryState<AnswerTo<Q>> {
  // Jobs are about the trace itself: another view does not restart them.
  const ofTrace = query !== null && isAboutTrace(query);
  const revision = useSyncExternalStore(client.onRevision, () => (ofTrace ? client.traceRevision : client.revision));
  // Queries are small plain data and are compared by content, so that callers need not memoise them.
  const text = query === null ? null : JSON.stringify(query);
  const [held, setHeld] = useState<{ readonly session: number; readonly state: QueryState<AnswerTo<Q>> }>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision means that the same query has a new answer.
  useEffect(() => {
    if (text === null) {
      setHeld(undefined);
      return;
    }
    const session = client.session;
    let latest = true;
    setHeld((last) => ({
      session,
      state: last?.session === session ? { ...last.state, pending: true, progress: null } : WAITING,
    }));
    const onProgress = ({ share, answer }: JobProgress<AnswerTo<Q>>) => {
      if (session !== client.session || !latest) return;
      setHeld((last) => ({
        session,
        state: { ...(last?.state ?? WAITING), ...(answer && { answer, error: null }), pending: true, progress: share },
      }));
    };
    client.query(key, { ...(JSON.parse(text) as Q), ...beside }, onProgress).then((outcome) => {
      // Even an answer that is no longer the latest is shown: it is newer than what is on the screen.
      if (session !== client.session || outcome.kind === 'superseded') return;
      const pending = !latest;
      setHeld({
        session,
        state:
          outcome.kind === 'answer'
            ? { answer: outcome.answer, error: null, pending, progress: null }
            : { answer: null, error: outcome.error, pending, progress: null },
      });
    });
    return () => {
      latest = false;
    };
  }, [client, key, text, revision, beside]);

  if (text === null) return NOTHING;
  return held?.session === client.session ? held.state : WAITING;
}
