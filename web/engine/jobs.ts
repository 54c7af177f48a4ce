/**
 * The engine worker's jobs: long questions, which take turns in slices that are short enough for no other query to wait.
 * A later job of a key drops the earlier one.
 */
import { engineErrorOf } from './errors';
import type { EngineMessage, EngineRequest } from './protocol';
import type { JobAnswer, JobQuery } from './protocolExplain';

/** A question under way; `answersJobs.ts` makes them of the wasm side's. */
export interface Job {
  /** Goes on for a millisecond or so; false when nothing is left to do. */
  step(): boolean;
  share(): number;
  /** What is known already, where that is worth telling and more than the last time. */
  partial(): JobAnswer | null;
  /** Consumes the job. */
  answer(): JobAnswer;
  free(): void;
}

/** A query that is answered by a job. */
export type JobRequest = Extract<EngineRequest, { type: 'query' }> & { readonly query: JobQuery };

interface Running {
  readonly request: JobRequest;
  /** Null until its first turn. */
  job: Job | null;
  reported: number;
}

/** Milliseconds of a slice. */
const SLICE = 12;
/** Milliseconds between two reports of progress. */
const PROGRESS_INTERVAL = 100;

export class Jobs {
  readonly #post: (message: EngineMessage) => void;
  readonly #now: () => number;
  #start: ((query: JobQuery) => Job) | null = null;
  /** Whose turn it is comes first. */
  #jobs: Running[] = [];

  constructor(post: (message: EngineMessage) => void, now: () => number = () => performance.now()) {
    this.#post = post;
    this.#now = now;
  }

  /** From now on jobs can be begun. */
  open(start: (query: JobQuery) => Job): void {
    this.#start = start;
  }

  /** There is work to do. */
  get busy(): boolean {
    return this.#start !== null && this.#jobs.length > 0;
  }

  push(request: JobRequest): void {
    this.#jobs = this.#jobs.filter((running) => {
      const stays = running.request.key !== request.key;
      if (!stays) running.job?.free();
      return stays;
    });
    this.#jobs.push({ request, job: null, reported: Number.NEGATIVE_INFINITY });
  }

  /** A slice of the work. */
  turn(): void {
    const start = this.#start;
    const running = start === null ? undefined : this.#jobs.shift();
    if (start === null || running === undefined) return;
    const { session, id, query } = running.request;
    try {
      running.job ??= start(query);
      const { job } = running;
      const end = this.#now() + SLICE;
      let more = job.step();
      while (more && this.#now() < end) more = job.step();
      if (more) {
        this.#jobs.push(running);
        this.#report(running, job);
      } else {
        running.job = null;
        this.#post({ type: 'answer', session, id, answer: job.answer() });
      }
    } catch (error) {
      // As in the worker: an error that is not text stopped wasm in the middle of its work.
      const type = typeof error === 'string' ? 'queryFailed' : 'failed';
      this.#post({ type, session, id, error: engineErrorOf(error) });
    }
  }

  #report(running: Running, job: Job): void {
    const now = this.#now();
    if (now < running.reported + PROGRESS_INTERVAL) return;
    running.reported = now;
    const { session, id } = running.request;
    this.#post({ type: 'jobProgress', session, id, share: job.share(), answer: job.partial() });
  }
}
