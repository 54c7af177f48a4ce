/**
 * `npm run build:wasm`: builds the wasm modules and their bindings in web/wasm, if a Rust source has changed. With `--bench` also
 * those that only benches and their tests load.
 */
import { argv } from 'node:process';
import { main } from './lib/main.mjs';
import { BENCH_MODULES, buildWasm, PAGE_MODULES } from './lib/wasmBuild.mjs';

await main((machine) => {
  buildWasm(machine, PAGE_MODULES);
  if (argv.includes('--bench')) buildWasm(machine, BENCH_MODULES);
});
