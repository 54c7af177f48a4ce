/**
 * The page's queries that wait for an answer; latest wins for each key.
 *
 * The worker answers the queries of one key in the order they were asked and skips those that a later one superseded
 * before it came to them. So an answer settles all earlier queries of its key as superseded. A query that the worker
 * had begun when a later one was asked is still answered: under a storm of requests the screen keeps moving.
 */
import type { Answer, EngineError, Query } from './protocol';
import type { AnswerToTracks, TracksQuery } from './protocolTracks';

/** The answer that belongs to a query. */
export type AnswerTo<Q extends Query> = Q extends TracksQuery
  ? AnswerToTracks<Q>
  : Extract<Answer, { type: Q['type'] }>;

/** What became of a query. */
export type Outcome<A> =
  | { readonly kind: 'answer'; readonly answer: A }
  /** It will not be answered: a later query with its key, another trace, or closing took its place. */
  | { readonly kind: 'superseded' }
  | { readonly kind: 'failed'; readonly error: EngineError };

/** How far a job is. */
export interface JobProgress<A> {
  /** From 0 to 1. */
  readonly share: number;
  /** What is known already, where that is worth telling. */
  readonly answer: A | null;
}

type Settle = (outcome: Outcome<Answer>) => void;
type Progress = (progress: JobProgress<Answer>) => void;

const ignore: Progress = () => undefined;

export class Pending {
  /** By id, in the order of asking. */
  readonly #queries = new Map<number, { readonly key: string; readonly settle: Settle; readonly progress: Progress }>();

  get size(): number {
    return this.#queries.size;
  }

  add(id: number, key: string, settle: Settle, progress: Progress = ignore): void {
    this.#queries.set(id, { key, settle, progress });
  }

  /** The job that answers `id` goes on. */
  progress(id: number, progress: JobProgress<Answer>): void {
    this.#queries.get(id)?.progress(progress);
  }

  /** Settles `id`, and the earlier queries of its key as superseded. Ids that nobody waits for are ignored. */
  settle(id: number, outcome: Outcome<Answer>): void {
    const query = this.#queries.get(id);
    if (query === undefined) return;
    for (const [earlier, { key, settle }] of this.#queries) {
      if (earlier >= id) break;
      if (key !== query.key) continue;
      this.#queries.delete(earlier);
      settle({ kind: 'superseded' });
    }
    this.#queries.delete(id);
    query.settle(outcome);
  }

  /** Settles all that is left. */
  settleAll(outcome: Outcome<Answer>): void {
    const queries = [...this.#queries.values()];
    this.#queries.clear();
    for (const { settle } of queries) settle(outcome);
  }
}
