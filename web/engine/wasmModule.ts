/**
 * The wasm modules: the engine; `io`, which lists events and reads all formats but trace.dat; and the one that draws figures.
 * The last two are fetched when they are needed.
 */
import engineUrl from '../wasm/engine_bg.wasm?url';
import figuresUrl from '../wasm/figures_bg.wasm?url';
import ioUrl from '../wasm/io_bg.wasm?url';
import { EngineFailure, internalError } from './errors';

/** A text that is different for each build of the engine; null where none tells, as while the engine is developed. */
export const BUILD: string | null = import.meta.env.PROD ? engineUrl : null;

export const compileEngine = (): Promise<WebAssembly.Module> => compiled(engineUrl);
export const compileIo = (): Promise<WebAssembly.Module> => compiled(ioUrl);
export const compileFigures = (): Promise<WebAssembly.Module> => compiled(figuresUrl);

let shared: Promise<WebAssembly.Module | null> | null = null;

/**
 * The engine's module, compiled once by the page for the workers of all traces: its fetch does not wait for a worker to
 * start, and what was made fast while one trace was read is fast for the next. null if that failed: a worker that tries
 * itself can say why.
 */
export function sharedEngine(): Promise<WebAssembly.Module | null> {
  shared ??= compileEngine().catch(() => {
    shared = null;
    return null;
  });
  return shared;
}

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
