/** `npm run build:wasm`: builds the wasm modules and their bindings in web/wasm, if a Rust source has changed. */
import { main } from './lib/main.mjs';
import { buildWasm } from './lib/wasmBuild.mjs';

await main(buildWasm);
