/** The wasm modules: the engine's own; those of other formats, of the list of events and of figures are fetched when needed. */
import eventsUrl from '../wasm/events_bg.wasm?url';
import figuresUrl from '../wasm/figures_bg.wasm?url';
import formatsUrl from '../wasm/formats_bg.wasm?url';
import tracecoreUrl from '../wasm/tracecore_bg.wasm?url';
import { EngineFailure, internalError } from './errors';

/** A text that is different for each build of the engine; null where none tells, as while the engine is developed. */
export const BUILD: string | null = import.meta.env.PROD ? tracecoreUrl : null;

/** Compiles the engine's module; the engine worker does so once, for all workers. */
export const compileWasm = (): Promise<WebAssembly.Module> => compiled(tracecoreUrl);

/** Compiles the module of all formats but trace.dat. */
export const compileFormats = (): Promise<WebAssembly.Module> => compiled(formatsUrl);

/** Compiles the module of the list of events. */
export const compileEvents = (): Promise<WebAssembly.Module> => compiled(eventsUrl);

/** Compiles the module that makes figures. */
export const compileFigures = (): Promise<WebAssembly.Module> => compiled(figuresUrl);

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
