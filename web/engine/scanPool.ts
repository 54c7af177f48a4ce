/** Shares the streams of a trace out among scan workers. */
import { EngineFailure, internalError } from './errors';
import type { EngineError } from './protocol';

/** A stream's bytes in the file, of one CPU or of several: `[start, end)`. */
export interface ScanJob {
  /** Position in the file's list of streams. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/** A compiled wasm module, and which one: both export the same classes for files and their scans. */
export interface FormatModule {
  readonly name: 'tracecore' | 'formats';
  readonly module: WebAssembly.Module;
}

export type ScanRequest =
  /** First of all: the compiled wasm that knows the format, and the file, for each worker to open by itself. */
  | { readonly type: 'start'; readonly opener: FormatModule; readonly blob: Blob }
  | { readonly type: 'scan'; readonly job: ScanJob };

export type ScanReport =
  /** Of the job that runs. */
  | { readonly type: 'progress'; readonly bytes: number; readonly events: number }
  | ({ readonly type: 'scanned'; readonly job: ScanJob; readonly events: number } & ScanParts)
  | { readonly type: 'failed'; readonly error: EngineError };

/** What a scan leaves of a stream. */
export interface ScanParts {
  /** For the model: a `CpuScan` of each CPU as bytes. */
  readonly scans: readonly ArrayBuffer[];
  /** For the list of events: where the records are, as bytes. null: the file does not hold their text. */
  readonly index: ArrayBuffer | null;
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

/** Bytes for which starting another worker pays. */
const BYTES_PER_WORKER = 1 << 20;
const MAX_WORKERS = 8;

/** One core is left to the page and the engine worker. */
export function workerCount(cores: number, jobs: readonly ScanJob[]): number {
  const bytes = jobs.reduce((sum, { start, end }) => sum + (end - start), 0);
  const useful = Math.min(cores - 1, MAX_WORKERS, jobs.length, Math.ceil(bytes / BYTES_PER_WORKER));
  return jobs.length === 0 ? 0 : Math.max(1, useful);
}

/** Largest first: the last ones to finish are then small, and no worker idles for long. */
export const largestFirst = (jobs: readonly ScanJob[]): ScanJob[] =>
  [...jobs].sort((a, b) => b.end - b.start - (a.end - a.start) || a.index - b.index);

/**
 * Runs all jobs on the workers and terminates them at the end, which frees their memory. `onScan` gets what each scan
 * leaves as it arrives, in any order. Rejects with an `EngineFailure` when a worker fails or `onScan` throws.
 */
export function scanAll(
  jobs: readonly ScanJob[],
  workers: readonly ScanWorker[],
  onProgress: (totals: ScanTotals) => void,
  onScan: (parts: ScanParts, job: ScanJob) => void,
): Promise<void> {
  const waiting = largestFirst(jobs);
  const running = new Map<ScanWorker, { bytes: number; events: number }>();
  let done = { bytes: 0, events: 0, cpusDone: 0 };

  const report = () => {
    let { bytes, events } = done;
    for (const current of running.values()) {
      bytes += current.bytes;
      events += current.events;
    }
    onProgress({ bytes, events, cpusDone: done.cpusDone });
  };

  const next = (worker: ScanWorker) => {
    const job = waiting.shift();
    if (job === undefined) {
      worker.terminate();
      return;
    }
    running.set(worker, { bytes: 0, events: 0 });
    worker.postMessage({ type: 'scan', job });
  };

  const finished = (worker: ScanWorker, message: Extract<ScanReport, { type: 'scanned' }>) => {
    const { job, events, scans, index } = message;
    running.delete(worker);
    done = {
      bytes: done.bytes + (job.end - job.start),
      events: done.events + events,
      cpusDone: done.cpusDone + 1,
    };
    // The worker goes on while this one takes over its result.
    next(worker);
    onScan({ scans, index }, job);
    report();
  };

  return new Promise<void>((resolve, reject) => {
    const end = (error?: unknown) => {
      for (const worker of workers) {
        worker.onmessage = null;
        worker.onerror = null;
        worker.terminate();
      }
      if (error === undefined) resolve();
      else reject(error);
    };
    if (waiting.length === 0) {
      end();
      return;
    }
    for (const worker of workers) {
      worker.onerror = (event) => {
        event.preventDefault();
        end(new EngineFailure(internalError(`a scan worker stopped: ${event.message || 'it could not be started'}`)));
      };
      worker.onmessage = ({ data }) => {
        try {
          if (data.type === 'failed') throw new EngineFailure(data.error);
          if (data.type === 'scanned') {
            finished(worker, data);
            if (running.size === 0 && waiting.length === 0) end();
          } else {
            running.set(worker, data);
            report();
          }
        } catch (error) {
          end(error);
        }
      };
      next(worker);
    }
  });
}
