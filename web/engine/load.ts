/** Loads a source into an opened trace: download, metadata, scans by workers, build. */
import type { LoadedTrace, TraceLoader } from '../wasm/tracecore';
import { download } from './download';
import { EngineFailure } from './errors';
import type { EngineError, Metadata, Progress, Summary, TraceSource } from './protocol';
import { type ScanJob, type ScanWorker, scanAll, workerCount } from './scanPool';
import { loaderOf, openFile } from './sourceFile';

/** What the engine worker is told while a trace loads. */
export interface LoadListener {
  onProgress(progress: Progress): void;
  /** The lanes are known; until the trace is built, `loader` gives previews. */
  onMetadata(metadata: Metadata, loader: TraceLoader, file: File): void;
  /** More CPUs can be previewed; `index` is the index of their records, null if the file does not hold their text. */
  onScan(loader: TraceLoader, index: ArrayBuffer | null): void;
  /** The build begins; it consumes the loader and keeps the worker busy until it ends. */
  onBuild(progress: Progress): void;
}

export interface Loaded {
  readonly trace: LoadedTrace;
  readonly summary: Summary;
}

const startScanWorker = (): ScanWorker =>
  new Worker(new URL('./scanWorker.ts', import.meta.url), { type: 'module', name: 'corelane scan' });

/** Loads `source`; what it throws is for `engineErrorOf`. */
export async function load(source: TraceSource, module: WebAssembly.Module, listener: LoadListener): Promise<Loaded> {
  const file = source.kind === 'file' ? source.file : await downloaded(source.url, listener);
  const { source: opened, opener } = await openFile(file, module);
  const metadata: Metadata = { name: file.name, size: file.size, ...JSON.parse(opened.description()) };
  const loader = loaderOf(opened, metadata);
  listener.onMetadata(metadata, loader, file);

  const jobs = JSON.parse(opened.jobs()) as ScanJob[];
  opened.free();
  const totalBytes = jobs.reduce((sum, { start, end }) => sum + (end - start), 0);
  const workers = Array.from({ length: workerCount(navigator.hardwareConcurrency, jobs) }, startScanWorker);
  for (const worker of workers) worker.postMessage({ type: 'start', opener, blob: file });
  let progress: Progress = { bytes: 0, totalBytes, events: 0, cpusDone: 0, cpus: jobs.length, stage: 'reading' };
  listener.onProgress(progress);
  await scanAll(
    jobs,
    workers,
    (totals) => {
      progress = { ...progress, ...totals };
      listener.onProgress(progress);
    },
    ({ scans, index }) => {
      for (const scan of scans) loader.add(new Uint8Array(scan));
      listener.onScan(loader, index);
    },
  );

  listener.onBuild({ ...progress, stage: 'building' });
  const trace = loader.build();
  const summary: Summary = {
    ...metadata,
    ...JSON.parse(trace.summary()),
    tasks: { pid: trace.taskPids(), comm: trace.taskComms(), forked: trace.taskForked() },
  };
  const nothing = nothingToShow(summary);
  if (nothing !== null) throw new EngineFailure(nothing);
  return { trace, summary };
}

function downloaded(url: string, listener: LoadListener): Promise<File> {
  return download(url, (bytes, totalBytes) =>
    listener.onProgress({ bytes, totalBytes, events: 0, cpusDone: 0, cpus: 0, stage: 'downloading' }),
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
