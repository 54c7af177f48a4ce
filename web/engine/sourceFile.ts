/** A file opened by the wasm module that knows its format. */
import { openTrace, type Scanned, type SourceFile, TraceLoader } from '../wasm/tracecore';
import { BlockReader, cacheForPlaces, prepareBytes, type TraceBytes } from './blobReader';
import { engineErrorOf } from './errors';
import type { Metadata } from './protocol';
import type { FormatModule } from './scanPool';
import { compileFormats } from './wasmModule';

export interface OpenedFile {
  readonly source: SourceFile;
  /** For the scan workers, which open the file again. */
  readonly opener: FormatModule;
}

/**
 * Opens a file with the engine's own module, which is already initialised. If that does not know the format, fetches
 * the module of all other formats and tries it. A file that neither knows is refused with the first one's error.
 */
export async function openFile(blob: TraceBytes, module: WebAssembly.Module): Promise<OpenedFile> {
  await prepareBytes(blob);
  let refused: unknown;
  try {
    const file = new BlockReader(blob, cacheForPlaces(blob));
    return { source: openTrace(file), opener: { name: 'tracecore', module } };
  } catch (error) {
    refused = error;
  }
  if (engineErrorOf(refused).kind !== 'not_a_trace' || blob.size === 0) throw refused;
  const opener: FormatModule = { name: 'formats', module: await compileFormats() };
  try {
    return { source: await openWith(opener, blob), opener };
  } catch (error) {
    const { kind, where } = engineErrorOf(error);
    // A text's error names its first line.
    throw kind === 'not_a_trace' && where === null ? refused : error;
  }
}

/** Opens a file with the module of other formats, whose bindings are then loaded. */
export async function openWith({ module }: FormatModule, blob: TraceBytes): Promise<SourceFile> {
  const formats = await import('../wasm/formats');
  await formats.default({ module_or_path: module });
  return formats.openSource(new BlockReader(blob));
}

/** A loader for the trace that a source describes, from whichever module opened it. */
export const loaderOf = (source: SourceFile, { cpus, base_ns }: Pick<Metadata, 'cpus' | 'base_ns'>): TraceLoader =>
  new TraceLoader(Uint32Array.from(cpus), base_ns, source.facts());

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
