/** `npm run build:wasm`: the wasm module and its bindings in web/wasm, when a Rust source has changed. */
import { main } from './lib/main.mjs';
import { buildWasm } from './lib/wasmBuild.mjs';

await main(buildWasm);
