/** The wasm module, compiled once by the engine worker and handed to the scan workers. */
import wasmUrl from '../wasm/tracecore_bg.wasm?url';
import { EngineFailure, internalError } from './errors';

/** Compiles the wasm module of the page's build. */
export async function compileWasm(): Promise<WebAssembly.Module> {
  const response = await fetch(wasmUrl);
  if (!response.ok) {
    throw new EngineFailure(internalError(`the engine could not be fetched: the server answered ${response.status}`));
  }
  // Servers that do not know the file type may send it as anything; streaming compilation insists on this one.
  return response.headers.get('content-type') === 'application/wasm'
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}
