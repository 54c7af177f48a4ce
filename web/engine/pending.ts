/**
 * The page's queries that wait for an answer; the latest wins for each key.
 *
 * The worker answers the queries of one key in the order in which they were asked, and skips those that were superseded
 * before their turn. So an answer settles all earlier queries of its key as superseded. A query that the worker had
 * begun when a later one was asked is still answered: under a storm of requests the screen keeps moving.
 */
import type { Answer, EngineError, Query } from './protocol';
import type { AnswerToTracks, TracksQuery } from './protocolTracks';

/** The type of the answer to a query. */
export type AnswerTo<Q extends Query> = Q extends TracksQuery
  ? AnswerToTracks<Q>
  : Extract<Answer, { type: Q['type'] }>;

/** How a query ended. */
export type Outcome<A> =
  | { readonly kind: 'answer'; readonly answer: A }
  /** It will not be answered, because of a later query with its key, another trace, or because the trace was closed. */
  | { readonly kind: 'superseded' }
  | { readonly kind: 'failed'; readonly error: EngineError };

/** How far a job has come. */
export interface JobProgress<A> {
  /** From 0 to 1. */
  readonly share: number;
  /** What is already known, if that is worth showing. */
  readonly answer: A | null;
}

type Settle = (outcome: Outcome<Answer>) => void;
type Progress = (progress: JobProgress<Answer>) => void;

const ignore: Progress = () => undefined;

export class Pending {
  /** The queries by id, in the order in which they were asked. */
  readonly #queries = new Map<number, { readonly key: string; readonly settle: Settle; readonly progress: Progress }>();

  get size(): number {
    return this.#queries.size;
  }

  add(id: number, key: string, settle: Settle, progress: Progress = ignore): void {
    this.#queries.set(id, { key, settle, progress });
  }

  /** Passes on the progress of the job that answers `id`. */
  progress(id: number, progress: JobProgress<Answer>): void {
    this.#queries.get(id)?.progress(progress);
  }

  /** Settles `id`, and the earlier queries of its key as superseded. Ignores ids that nothing waits for. */
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

  /** Settles the queries of a key as superseded. */
  drop(key: string): void {
    for (const [id, query] of this.#queries) {
      if (query.key !== key) continue;
      this.#queries.delete(id);
      query.settle({ kind: 'superseded' });
    }
  }

  /** Settles all remaining queries. */
  settleAll(outcome: Outcome<Answer>): void {
    const queries = [...this.#queries.values()];
    this.#queries.clear();
    for (const { settle } of queries) settle(outcome);
  }
}
