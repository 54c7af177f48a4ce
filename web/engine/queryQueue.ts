/**
 * The worker's queries that are not yet answered: a later query of a key drops the earlier one, so that a storm of
 * requests costs one answer.
 */
import type { EngineRequest, TraceQuery } from './protocol';

/** A query of the model. */
export type QueryRequest = Extract<EngineRequest, { type: 'query' }> & { readonly query: TraceQuery };

export class QueryQueue {
  #requests: QueryRequest[] = [];

  get size(): number {
    return this.#requests.length;
  }

  /** The query that waits longest. */
  get first(): TraceQuery | undefined {
    return this.#requests[0]?.query;
  }

  push(request: QueryRequest): void {
    const earlier = this.#requests.findIndex(({ key }) => key === request.key);
    if (earlier === -1) {
      this.#requests.push(request);
      return;
    }
    if (request.query.type === 'set_view') {
      // A view keeps the place of the one it supersedes: queries between the two must not be answered from a view
      // that is older than the one they were asked for.
      this.#requests[earlier] = request;
      return;
    }
    this.#requests.splice(earlier, 1);
    this.#requests.push(request);
  }

  /** Puts back what was taken and is not answered yet, behind all others; unless a later one has taken its place. */
  putBack(request: QueryRequest): void {
    if (!this.#requests.some(({ key }) => key === request.key)) this.#requests.push(request);
  }

  /** Takes the first request whose query can be answered now. */
  take(answerable: (query: TraceQuery) => boolean): QueryRequest | undefined {
    const index = this.#requests.findIndex(({ query }) => answerable(query));
    return index === -1 ? undefined : this.#requests.splice(index, 1)[0];
  }
}
