/** A file opened by the wasm module that knows its format. */
import { type LoadedTrace, openTrace, type Scanned, type SourceFile, TraceLoader } from '../wasm/engine';
import { BlockReader, cacheForPlaces, type FileRange, prepareBytes, type TraceBytes } from './blobReader';
import { EngineFailure, engineErrorOf, internalError } from './errors';
import type { Metadata } from './protocol';
import type { Described, FormatModule, ScanJob, ScanWorker } from './scanPool';
import { compileIo } from './wasmModule';

export interface OpenedFile extends Described {
  /** null: a worker has it. */
  readonly source: SourceFile | null;
  /** Reads what of the file will be looked at by `source`. */
  readonly prefetch: (ranges: readonly FileRange[]) => void;
  /** The scan worker that has the file open; null: the engine has it. */
  readonly worker: ScanWorker | null;
  /** For the scan workers, which open the file for themselves. */
  readonly opener: FormatModule;
  /** The trace as it was stored when the file was opened before; null: it was not. */
  readonly stored: LoadedTrace | null;
}

/**
 * Opens a file with the engine's own module, which is already initialised. If that does not know the format, fetches
 * the module of all other formats, and a scan worker tries it: some formats are read whole when they are opened. A file that
 * neither knows is refused with the first one's error. `restore`: the stored trace of a file, by what tells it from others.
 */
export async function openFile(
  blob: TraceBytes,
  module: WebAssembly.Module,
  startWorker: (opener: FormatModule) => ScanWorker,
  restore: (fingerprint: string) => Promise<LoadedTrace | null>,
): Promise<OpenedFile> {
  await prepareBytes(blob);
  let refused: unknown;
  try {
    const file = new BlockReader(blob, cacheForPlaces(blob));
    const source = openTrace(file);
    const stored = await restore(source.fingerprint());
    // When the trace begins is in the first events of all CPUs: of very many, to read them takes as long as a stored model.
    if (stored === null) file.prefetch(edgesOf(JSON.parse(source.jobs())));
    const prefetch: OpenedFile['prefetch'] = (ranges) => file.prefetch(ranges);
    const opener: FormatModule = { name: 'engine', module };
    return { ...describedBy(source, stored?.baseNs()), source, prefetch, worker: null, opener, stored };
  } catch (error) {
    refused = error;
  }
  if (engineErrorOf(refused).kind !== 'not_a_trace' || blob.size === 0) throw refused;
  const opener: FormatModule = { name: 'io', module: await compileIo() };
  const worker = startWorker(opener);
  try {
    const found = await described(worker);
    const { fingerprint }: Pick<Metadata, 'fingerprint'> = JSON.parse(found.description);
    return { ...found, source: null, prefetch: () => {}, worker, opener, stored: await restore(fingerprint) };
  } catch (error) {
    worker.terminate();
    const { kind, where } = engineErrorOf(error);
    // A text's error names its first line.
    throw kind === 'not_a_trace' && where === null ? refused : error;
  }
}

/** Bytes that hold the first or the last events of a stream, packed or not. */
const EDGE = 1 << 14;

const edgesOf = (jobs: readonly ScanJob[]): FileRange[] =>
  jobs.flatMap(({ start, end }) => [
    { start, end: Math.min(start + EDGE, end) },
    { start: Math.max(end - EDGE, start), end },
  ]);

/** What an opened file says. `baseNs`: when it begins, where that is known. */
export const describedBy = (source: SourceFile, baseNs?: string): Described => ({
  description: source.description(baseNs),
  jobs: source.jobs(),
  facts: source.facts(),
});

/** What a worker says of the file that it opened. */
const described = (worker: ScanWorker): Promise<Described> =>
  new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      if (data.type === 'described') resolve(data);
      if (data.type === 'failed') reject(new EngineFailure(data.error));
    };
    worker.onerror = ({ message }) => reject(new EngineFailure(internalError(message)));
    worker.postMessage({ type: 'describe' });
  });

/** Opens a file with the module of other formats, whose bindings are then loaded. */
export async function openWith({ module }: FormatModule, blob: TraceBytes): Promise<SourceFile> {
  const formats = await import('../wasm/io');
  await formats.default({ module_or_path: module });
  return formats.openSource(new BlockReader(blob));
}

/** A loader for the trace that a source describes, from whichever module opened it. */
export const loaderOf = ({ facts }: Described, { cpus, base_ns }: Pick<Metadata, 'cpus' | 'base_ns'>): TraceLoader =>
  new TraceLoader(Uint32Array.from(cpus), base_ns, facts);

/** The `CpuScan`s of a stream's scan, each in its own buffer. */
export const takeScans = (scanned: Scanned): ArrayBuffer[] => taken(() => scanned.takeScan());

/** Then the rows of system calls and interrupts of its CPUs. */
export const takeLogs = (scanned: Scanned): ArrayBuffer[] => taken(() => scanned.takeKernel());

function taken(take: () => Uint8Array | undefined): ArrayBuffer[] {
  const all: ArrayBuffer[] = [];
  for (;;) {
    const one = take() as Uint8Array<ArrayBuffer> | undefined;
    if (one === undefined) return all;
    all.push(one.buffer);
  }
}
