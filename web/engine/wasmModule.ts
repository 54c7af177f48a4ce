/**
 * The wasm modules: the engine's own; those of other formats, of the list of events, of figures, of system calls, of whole
 * traces' relations and of exports are fetched when needed.
 */
import callsUrl from '../wasm/calls_bg.wasm?url';
import eventsUrl from '../wasm/events_bg.wasm?url';
import figuresUrl from '../wasm/figures_bg.wasm?url';
import filesUrl from '../wasm/files_bg.wasm?url';
import formatsUrl from '../wasm/formats_bg.wasm?url';
import studiesUrl from '../wasm/studies_bg.wasm?url';
import tracecoreUrl from '../wasm/tracecore_bg.wasm?url';
import { EngineFailure, internalError } from './errors';

/** A text that is different for each build of the engine; null where none tells, as while the engine is developed. */
export const BUILD: string | null = import.meta.env.PROD ? tracecoreUrl : null;

/** Compiles the engine's module. */
export const compileWasm = (): Promise<WebAssembly.Module> => compiled(tracecoreUrl);

let shared: Promise<WebAssembly.Module | null> | null = null;

/**
 * The engine's module, compiled once by the page for the workers of all traces: its fetch does not wait for a worker to
 * start, and what was made fast while one trace was read is fast for the next. null if that failed: a worker that tries
 * itself can say why.
 */
export function sharedWasm(): Promise<WebAssembly.Module | null> {
  shared ??= compileWasm().catch(() => {
    shared = null;
    return null;
  });
  return shared;
}

/** Compiles the module of all formats but trace.dat. */
export const compileFormats = (): Promise<WebAssembly.Module> => compiled(formatsUrl);

/** Compiles the module of the list of events. */
export const compileEvents = (): Promise<WebAssembly.Module> => compiled(eventsUrl);

/** Compiles the module that makes figures. */
export const compileFigures = (): Promise<WebAssembly.Module> => compiled(figuresUrl);

/** Compiles the module of exports and of sched_ext. */
export const compileFiles = (): Promise<WebAssembly.Module> => compiled(filesUrl);

/** Compiles the module of system calls and interrupts. */
export const compileCalls = (): Promise<WebAssembly.Module> => compiled(callsUrl);

/** Compiles the module of questions about whole traces. */
export const compileStudies = (): Promise<WebAssembly.Module> => compiled(studiesUrl);

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
