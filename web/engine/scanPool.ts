/** Distributes the streams of a trace among scan workers. */
import { bytesOf, type TraceBytes } from './blobReader';
import { EngineFailure, internalError } from './errors';
import { endWorker } from './life';
import type { EngineError } from './protocol';

/** The bytes of a stream in the file, of one CPU or of several: `[start, end)`. */
export interface ScanJob {
  /** The stream's position in the file's list of streams. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/** A compiled wasm module, and which one it is: both export the same classes for files and their scans. */
export interface FormatModule {
  readonly name: 'engine' | 'io';
  readonly module: WebAssembly.Module;
}

export type ScanRequest =
  /** The first message: the compiled wasm that knows the format, and the file, which each worker opens for itself. */
  | { readonly type: 'start'; readonly opener: FormatModule; readonly blob: TraceBytes }
  /** Streams that lie one behind the other in the file. */
  | { readonly type: 'scan'; readonly jobs: readonly ScanJob[] }
  /** What the file says besides its streams: a worker opens what the engine's own module does not know. */
  | { readonly type: 'describe' };

export type ScanReport =
  /** The progress of the present job. */
  | { readonly type: 'progress'; readonly bytes: number; readonly events: number }
  | ({ readonly type: 'scanned'; readonly job: ScanJob; readonly events: number } & ScanParts)
  | ({ readonly type: 'described' } & Described)
  | { readonly type: 'failed'; readonly error: EngineError };

/** What an opened file says before it is scanned: `description()`, `jobs()` and `facts()` of a `SourceFile`. */
export interface Described {
  readonly description: string;
  readonly jobs: string;
  readonly facts: Uint8Array;
}

/** The results of a stream's scan. */
export interface ScanParts {
  /** For the model: a `CpuScan` as bytes for each CPU. */
  readonly scans: readonly ArrayBuffer[];
  /** For the list of events: the places of the records, as bytes. null: the file does not hold their text. */
  readonly index: ArrayBuffer | null;
  /** For system calls and interrupts: their rows as bytes for each CPU that has some. */
  readonly logs: readonly ArrayBuffer[];
}

/** What a pool needs, and whom it tells. */
export interface ScanPool {
  /** How many workers scan at the same time. */
  readonly workers: number;
  /** Starts a worker, which opens the file. */
  start(): ScanWorker;
  onProgress(totals: ScanTotals): void;
  /** Gets the result of each scan as it arrives, in any order. */
  onScan(parts: ScanParts, job: ScanJob): void;
  /** A worker died, and another one was started in its place. */
  onRestart(what: string): void;
}

/** The part of `Worker` that is used; tests stand in for it. */
export interface ScanWorker {
  onmessage: ((event: MessageEvent<ScanReport>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(request: ScanRequest): void;
  terminate(): void;
}

export interface ScanTotals {
  readonly bytes: number;
  readonly events: number;
  readonly cpusDone: number;
}

/** How many bytes make another worker worth starting. */
const BYTES_PER_WORKER = 1 << 20;
const MAX_WORKERS = 8;

/**
 * How many workers to start: one core is left to the page and the engine worker. But two scan wherever there are two cores: while one
 * waits for bytes, the other works.
 */
export function workerCount(cores: number, jobs: readonly ScanJob[]): number {
  const useful = Math.min(
    Math.max(cores - 1, Math.min(cores, 2)),
    MAX_WORKERS,
    jobs.length,
    Math.ceil(bytesOf(jobs) / BYTES_PER_WORKER),
  );
  return jobs.length === 0 ? 0 : Math.max(1, useful);
}

/** Streams with fewer bytes in all are read as one. */
const BATCH_BYTES = 1 << 23;
/** How many batches a worker gets at least, so that all end at about the same time. */
const BATCHES_PER_WORKER = 8;
/** The most bytes of nobody that are read between two streams, where they begin at whole pages. */
const GAP = 1 << 16;

/**
 * Jobs that are scanned one after the other as the bytes of one read, since to begin one takes Chromium some milliseconds. The largest come
 * first: what finishes last is then small, and no worker idles for long.
 */
export function batchesOf(jobs: readonly ScanJob[], workers: number): ScanJob[][] {
  const most = Math.min(BATCH_BYTES, bytesOf(jobs) / (workers * BATCHES_PER_WORKER));
  const batches: { jobs: ScanJob[]; bytes: number; end: number }[] = [];
  for (const job of [...jobs].sort((a, b) => a.start - b.start || a.index - b.index)) {
    const last = batches.at(-1);
    const bytes = job.end - job.start;
    if (last && last.bytes + bytes <= most && last.end <= job.start && job.start <= last.end + GAP) {
      last.jobs.push(job);
      last.bytes += bytes;
      last.end = job.end;
    } else {
      batches.push({ jobs: [job], bytes, end: job.end });
    }
  }
  return batches.sort((a, b) => b.bytes - a.bytes).map((batch) => batch.jobs);
}

/** What a worker is doing: the first of its jobs, of which it has read `bytes`. */
interface Running {
  readonly jobs: readonly ScanJob[];
  readonly bytes: number;
  readonly events: number;
}

/**
 * Runs all jobs on workers, and terminates them at the end, which frees their memory. A job whose worker dies is given to
 * another one, once. Rejects with an `EngineFailure` when it dies again, when a worker fails or `onScan` throws.
 */
export function scanAll(jobs: readonly ScanJob[], pool: ScanPool): Promise<void> {
  const waiting: (readonly ScanJob[])[] = batchesOf(jobs, pool.workers);
  const running = new Map<ScanWorker, Running>();
  const again = new Set<ScanJob>();
  let done = { bytes: 0, events: 0, cpusDone: 0 };

  const report = () => {
    let { bytes, events } = done;
    for (const current of running.values()) {
      bytes += current.bytes;
      events += current.events;
    }
    pool.onProgress({ bytes, events, cpusDone: done.cpusDone });
  };

  const drop = (worker: ScanWorker) => {
    running.delete(worker);
    endWorker(worker);
  };

  const next = (worker: ScanWorker) => {
    const jobs = waiting.shift();
    if (jobs === undefined) {
      drop(worker);
      return;
    }
    running.set(worker, { jobs, bytes: 0, events: 0 });
    worker.postMessage({ type: 'scan', jobs });
  };

  const finished = (worker: ScanWorker, message: Extract<ScanReport, { type: 'scanned' }>) => {
    const { job, events, scans, index, logs } = message;
    const left = running.get(worker)?.jobs.slice(1) ?? [];
    done = {
      bytes: done.bytes + (job.end - job.start),
      events: done.events + events,
      cpusDone: done.cpusDone + 1,
    };
    // The worker goes on while this thread takes over its result.
    if (0 < left.length) running.set(worker, { jobs: left, bytes: 0, events: 0 });
    else {
      running.delete(worker);
      next(worker);
    }
    pool.onScan({ scans, index, logs }, job);
    report();
  };

  return new Promise<void>((resolve, reject) => {
    const end = (error?: unknown) => {
      for (const worker of [...running.keys()]) drop(worker);
      if (error === undefined) resolve();
      else reject(error);
    };
    if (waiting.length === 0) {
      end();
      return;
    }
    const start = () => {
      const worker = pool.start();
      worker.onerror = (event) => {
        event.preventDefault();
        died(worker, `a scan worker stopped: ${event.message || 'it could not be started'}`);
      };
      worker.onmessage = ({ data }) => {
        try {
          if (data.type === 'failed') throw new EngineFailure(data.error);
          if (data.type === 'scanned') {
            finished(worker, data);
            if (running.size === 0 && waiting.length === 0) end();
          } else if (data.type === 'progress') {
            const current = running.get(worker);
            if (current !== undefined) running.set(worker, { ...current, bytes: data.bytes, events: data.events });
            report();
          }
        } catch (error) {
          end(error);
        }
      };
      next(worker);
    };
    const died = (worker: ScanWorker, what: string) => {
      const jobs = running.get(worker)?.jobs;
      const job = jobs?.[0];
      drop(worker);
      if (jobs === undefined || job === undefined || again.has(job)) {
        end(new EngineFailure(internalError(what)));
        return;
      }
      again.add(job);
      waiting.unshift(jobs);
      pool.onRestart(what);
      start();
    };
    for (let worker = 0; worker < pool.workers; worker++) start();
  });
}
