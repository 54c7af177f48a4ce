/** Loads a source into an opened trace: metadata, scans by workers, build. */
import { modelFolder } from '../base/modelFolder';
import { LoadedTrace, type TraceLoader } from '../wasm/engine';
import { bytesOf, type TraceBytes } from './blobReader';
import { download } from './download';
import { EngineFailure } from './errors';
import { refusalOf } from './fits';
import { HelperWorker } from './helperWorker';
import { lifeName, watched } from './life';
import { modelKey, restoreModel, storeModel } from './modelStore';
import type { EngineError, Metadata, Progress, Summary, TraceSource } from './protocol';
import type { RemoteFile } from './remoteFile';
import { sample } from './sample';
import {
  type FormatModule,
  type ScanJob,
  type ScanParts,
  type ScanPool,
  type ScanTotals,
  type ScanWorker,
  scanAll,
  workerCount,
} from './scanPool';
import { loaderOf, openFile } from './sourceFile';
import { inTurns } from './taskLoop';
import { BUILD } from './wasmModule';

/** What the engine worker is told while a trace loads. */
export interface LoadListener {
  onProgress(progress: Progress): void;
  /** The lanes are known; until the trace is built, `loader` gives previews. */
  onMetadata(metadata: Metadata, loader: TraceLoader, file: TraceBytes): void;
  /** Of every CPU something can be previewed. */
  onSample(loader: TraceLoader): void;
  /** More CPUs can be previewed. */
  onScan(loader: TraceLoader, parts: ScanParts): void;
  /** All CPUs can be previewed, and the build begins. */
  onBuild(): void;
  /** The build has ended, and nothing can be previewed any more. */
  onBuilt(): void;
  /** A scan worker died, and another one was started in its place. */
  onRestart(what: string): void;
}

export interface Loaded {
  readonly trace: LoadedTrace;
  readonly summary: Summary;
  /** Scans the streams for all but the model, as for a trace whose model was stored. */
  readonly index: (onScan: (parts: ScanParts) => void) => Promise<void>;
  /** Stores the model for the next time; null where that is not worth it, or was done before. */
  readonly store: (() => Promise<void>) | null;
}

/** Starts a worker, which opens the file. */
function startScanWorker(opener: FormatModule, blob: TraceBytes): ScanWorker {
  const name = lifeName('corelane scan');
  const worker: ScanWorker = watched(new HelperWorker('scan', name), name);
  worker.postMessage({ type: 'start', opener, blob });
  return worker;
}

/** The file of `source`, which is downloaded if it is elsewhere, unless it is large and can be read there. */
export const fileOf = (
  source: TraceSource,
  onProgress: LoadListener['onProgress'],
): File | Promise<File | RemoteFile> => (source.kind === 'file' ? source.file : downloaded(source.url, onProgress));

/** Loads the `file` of `source`; what it throws is for `engineErrorOf`. */
export async function load(
  source: TraceSource,
  file: File | RemoteFile,
  module: WebAssembly.Module,
  listener: LoadListener,
): Promise<Loaded> {
  const startWorker = (opener: FormatModule) => startScanWorker(opener, file);
  // What was downloaded has no date by which a change could be told, and the download takes most of the time.
  const keyOf = (fingerprint: string) =>
    file instanceof File && source.kind === 'file' && BUILD !== null ? modelKey(BUILD, file, fingerprint) : null;
  const opened = await openFile(file, module, startWorker, async (fingerprint) => {
    const key = keyOf(fingerprint);
    return key === null ? null : restoreModel(modelFolder, key, LoadedTrace.ofModel);
  });
  const { opener, worker, stored } = opened;
  const metadata: Metadata = { name: file.name, size: file.size, ...JSON.parse(opened.description) };
  const loader = loaderOf(opened, metadata);
  listener.onMetadata(metadata, loader, file);
  const jobs = JSON.parse(opened.jobs) as ScanJob[];

  const index: Loaded['index'] = (onScan) =>
    scanStreams(() => startWorker(opener), jobs, {
      onProgress: () => {},
      onScan,
      onRestart: (what) => listener.onRestart(what),
    });
  if (stored !== null) {
    opened.source?.free();
    worker?.terminate();
    loader.free();
    return { trace: stored, summary: summaryOf(stored, metadata, true), index, store: null };
  }

  const totalBytes = bytesOf(jobs);
  let progress: Progress = {
    bytes: 0,
    totalBytes,
    events: 0,
    cpusDone: 0,
    cpus: jobs.length,
    stage: 'reading',
    built: 0,
  };
  listener.onProgress(progress);
  let bytes = 0;
  const sink = {
    onProgress: (totals: ScanTotals) => {
      progress = { ...progress, ...totals };
      listener.onProgress(progress);
    },
    onScan: (parts: ScanParts, job: ScanJob) => {
      for (const scan of parts.scans) loader.add(new Uint8Array(scan));
      bytes += job.end - job.start;
      const seen = { rows: loader.rows(), bytes, totalBytes, span: loader.previewEnd() };
      const refusal = refusalOf(seen, file.name, opener.name === 'engine');
      if (refusal !== null) throw new EngineFailure(refusal);
      listener.onScan(loader, parts);
    },
    onRestart: (what: string) => listener.onRestart(what),
  };
  const sampling =
    opened.source && sample(opened.source, jobs, loader, () => listener.onSample(loader), opened.prefetch);
  // Who has the file open scans first.
  let ready = worker;
  const next = () => {
    const first = ready ?? startWorker(opener);
    ready = null;
    return first;
  };
  await scanStreams(next, jobs, sink).finally(() => sampling?.end());
  const onShare = (built: number) => listener.onProgress({ ...progress, stage: 'building', built });
  onShare(0);
  listener.onBuild();
  await build(loader, onShare);
  listener.onBuilt();
  const trace = loader.trace();
  const key = keyOf(metadata.fingerprint);
  const store = key === null ? null : () => storeModel(modelFolder, key, trace, trace.memoryBytes());
  return { trace, summary: summaryOf(trace, metadata, false), index, store };
}

/** Milliseconds for which the worker builds before it looks at questions. */
const BUILD_SLICE = 8;

/** Builds the trace; between slices, the worker does what else there is to do. `onShare`: how much of it is done, from 0 to 1. */
const build = (loader: TraceLoader, onShare: (built: number) => void): Promise<void> =>
  inTurns(() => {
    const end = performance.now() + BUILD_SLICE;
    let more = loader.buildStep();
    while (more && performance.now() < end) more = loader.buildStep();
    if (more) onShare(loader.built());
    return more;
  });

/** Scans all streams in workers of their own. */
function scanStreams(
  start: () => ScanWorker,
  jobs: readonly ScanJob[],
  listener: Pick<ScanPool, 'onProgress' | 'onScan' | 'onRestart'>,
): Promise<void> {
  return scanAll(jobs, { ...listener, start, workers: workerCount(navigator.hardwareConcurrency, jobs) });
}

function summaryOf(trace: LoadedTrace, metadata: Metadata, restored: boolean): Summary {
  const summary: Summary = {
    ...metadata,
    ...JSON.parse(trace.summary()),
    restored,
    tasks: { pid: trace.taskPids(), comm: trace.taskComms(), prio: trace.taskPrios(), forked: trace.taskForked() },
  };
  const nothing = nothingToShow(summary);
  if (nothing !== null) throw new EngineFailure(nothing);
  return summary;
}

function downloaded(url: string, onProgress: LoadListener['onProgress']): Promise<File | RemoteFile> {
  return download(url, (bytes, totalBytes) =>
    onProgress({ bytes, totalBytes, events: 0, cpusDone: 0, cpus: 0, stage: 'downloading', built: 0 }),
  );
}

/** The error of a trace that is intact but has nothing to show. Without scheduling events it has its list of events. */
export function nothingToShow({ records, cpus }: Pick<Summary, 'records' | 'cpus'>): EngineError | null {
  if (records > 0) return null;
  return {
    kind: 'empty',
    what: `the trace has no events on ${cpus.length === 1 ? 'its only CPU' : `any of its ${cpus.length} CPUs`}`,
    where: null,
    advice: 'Record while something runs, for example with `trace-cmd record -e sched sleep 1`.',
  };
}
