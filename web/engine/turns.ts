/**
 * Decides what the engine worker does next. Every query is a job, which may be finished after its first step. New
 * queries come first, in the order in which they were asked, each with a short slice of work; then those whose answers the
 * user is waiting to see, lanes before all else; then long ones, in turn. A slice is short enough that no other query has
 * to wait. A later query of a key drops the earlier one, so that a storm of requests costs one answer.
 */
import { engineErrorOf } from './errors';
import type { Asked, EngineError, QueryMessage, TraceAnswer, TraceQuery } from './protocol';
import { rankOf, setsOf } from './questions';

/** A query that is being answered; `answers.ts` makes it from the wasm side's job. */
export interface Job<Answer = TraceAnswer> {
  /** Whether the user is waiting to see the answer. Other jobs take longer and can wait. */
  readonly isUrgent: boolean;
  /** Works for about a millisecond; false when nothing is left to do. */
  step(): boolean;
  share(): number;
  /** What is already known, if that is worth showing and more than the last time. */
  partial(): Answer | null;
  /** The answer; consumes the job. */
  answer(): Answer;
  free(): void;
}

/** What is said of the queries; `failed`: no more of them can be answered. */
export type TurnsMessage<Answer> =
  | QueryMessage<Answer>
  | { readonly type: 'failed'; readonly session: number; readonly id: number; readonly error: EngineError };

/** Begins to answer a query; null: it cannot be answered yet. */
export type Start<Query = TraceQuery, Answer = TraceAnswer> = (query: Query) => Job<Answer> | null;

interface Running<Query, Answer> {
  readonly request: Asked<Query>;
  readonly job: Job<Answer>;
  /** Of jobs that somebody waits for, the least comes first. */
  readonly rank: number;
  /** When its progress was last reported. */
  reported: number;
}

/** Length of a slice in milliseconds. */
const SLICE = 12;
/** Of a query's first slice, in which most are answered: several are asked at once, and each has its turn before any goes on. */
const FIRST_SLICE = 4;
/** Milliseconds between two reports of progress. */
const PROGRESS_INTERVAL = 100;

/** The wasm side returns its errors as text. Anything else stopped it in the middle of its work: the trace is lost. */
const isOfQuery = (error: unknown): boolean => typeof error === 'string';

export class Turns<Query extends { readonly type: string } = TraceQuery, Answer = TraceAnswer> {
  readonly #post: (message: TurnsMessage<Answer>) => void;
  readonly #now: () => number;
  #start: Start<Query, Answer> = () => null;
  /** Queries that have not been begun; the first one has waited longest. */
  #fresh: Asked<Query>[] = [];
  /** Queries that have been begun; of those with the same rank, the first is next. */
  #running: Running<Query, Answer>[] = [];
  /** Whether queries that could not be answered may be answerable now: something was added or opened since. */
  #isNews = false;

  constructor(post: (message: TurnsMessage<Answer>) => void, now: () => number = () => performance.now()) {
    this.#post = post;
    this.#now = now;
  }

  /** From now on, `start` begins to answer queries. */
  open(start: Start<Query, Answer>): void {
    this.#start = start;
    this.#isNews = true;
  }

  /** Whether there is work to do. */
  get busy(): boolean {
    return this.#running.length > 0 || (this.#isNews && this.#fresh.length > 0);
  }

  push(request: Asked<Query>): void {
    this.#isNews = true;
    this.#running = this.#running.filter((running) => {
      const stays = running.request.key !== request.key;
      if (!stays) running.job.free();
      return stays;
    });
    const earlier = this.#fresh.findIndex(({ key }) => key === request.key);
    if (earlier === -1) {
      this.#fresh.push(request);
    } else if (setsOf(request.query) === 'view') {
      // A view keeps the place of the one it supersedes: queries between the two must not be answered from a view
      // that is older than the one they were asked for.
      this.#fresh[earlier] = request;
    } else {
      this.#fresh.splice(earlier, 1);
      this.#fresh.push(request);
    }
  }

  /** Does a slice of work. */
  turn(): void {
    const fresh = this.#begin();
    const running = fresh ?? this.#next();
    if (running !== null) this.#work(running, fresh === null ? SLICE : FIRST_SLICE);
  }

  /** Begins the first fresh query that can be answered. */
  #begin(): Running<Query, Answer> | null {
    for (const [index, request] of this.#fresh.entries()) {
      let job: Job<Answer> | null;
      try {
        job = this.#start(request.query);
      } catch (error) {
        this.#fresh.splice(index, 1);
        this.#fail(request, error);
        return null;
      }
      if (job !== null) {
        this.#fresh.splice(index, 1);
        if (setsOf(request.query) !== null) this.#beginAgain();
        return { request, job, rank: rankOf(request.query, job.isUrgent), reported: Number.NEGATIVE_INFINITY };
      }
    }
    this.#isNews = false;
    return null;
  }

  /** Restarts queries about the view that were begun before a view was set: they would be answered from the old one. */
  #beginAgain(): void {
    const urgent = this.#running.filter(({ job }) => job.isUrgent);
    this.#running = this.#running.filter(({ job }) => !job.isUrgent);
    for (const { job } of urgent) job.free();
    this.#fresh.unshift(...urgent.map(({ request }) => request));
  }

  #next(): Running<Query, Answer> | null {
    const ranks = this.#running.map(({ rank }) => rank);
    const first = ranks.indexOf(Math.min(...ranks));
    return this.#running.splice(Math.max(first, 0), 1)[0] ?? null;
  }

  #work(running: Running<Query, Answer>, slice: number): void {
    const { request, job } = running;
    let more = true;
    try {
      const end = this.#now() + slice;
      more = job.step();
      while (more && this.#now() < end) more = job.step();
      if (more) {
        this.#running.push(running);
        this.#report(running);
      } else {
        this.#post({ type: 'answer', session: request.session, id: request.id, answer: job.answer() });
      }
    } catch (error) {
      this.#running = this.#running.filter((other) => other !== running);
      // An answer consumes its job, finished or not.
      if (more && isOfQuery(error)) job.free();
      this.#fail(request, error);
    }
  }

  #report(running: Running<Query, Answer>): void {
    const { request, job } = running;
    const now = this.#now();
    if (job.isUrgent || now < running.reported + PROGRESS_INTERVAL) return;
    running.reported = now;
    const { session, id } = request;
    this.#post({ type: 'jobProgress', session, id, share: job.share(), answer: job.partial() });
  }

  #fail({ session, id }: Asked<Query>, error: unknown): void {
    const type = isOfQuery(error) ? 'queryFailed' : 'failed';
    this.#post({ type, session, id, error: engineErrorOf(error) });
  }
}
