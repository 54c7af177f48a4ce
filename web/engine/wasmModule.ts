/** The wasm modules: the engine's own, and the one that opens other formats, fetched when a file needs it. */
import formatsUrl from '../wasm/formats_bg.wasm?url';
import tracecoreUrl from '../wasm/tracecore_bg.wasm?url';
import { EngineFailure, internalError } from './errors';

/** A text that is different for each build of the engine; null where none tells, as while the engine is developed. */
export const BUILD: string | null = import.meta.env.PROD ? tracecoreUrl : null;

/** Compiles the engine's module; the engine worker does so once, for all workers. */
export const compileWasm = (): Promise<WebAssembly.Module> => compiled(tracecoreUrl);

/** Compiles the module of all formats but trace.dat. */
export const compileFormats = (): Promise<WebAssembly.Module> => compiled(formatsUrl);

async function compiled(url: string): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) {
    throw new EngineFailure(internalError(`the engine could not be fetched: the server answered ${response.status}`));
  }
  // Servers that do not know the file type may send any other; streaming compilation insists on this one.
  return response.headers.get('content-type') === 'application/wasm'
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}
