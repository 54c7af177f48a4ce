/** `npm run dev`: like `npm start`, but serves the sources and reloads the page when one changes. */
import { main } from './lib/main.mjs';
import { ensurePackages } from './lib/npmPackages.mjs';
import { serverOptions } from './lib/serverOptions.mjs';
import { buildWasm } from './lib/wasmBuild.mjs';

const DEFAULT_PORT = 5173;

await main(async (machine) => {
  const options = serverOptions(process.argv.slice(2), machine.env, DEFAULT_PORT);
  ensurePackages(machine);
  buildWasm(machine);
  const { createServer } = await import('vite');
  const server = await createServer({ server: { port: options.port, host: options.host } });
  await server.listen();
  server.printUrls();
  machine.say('After a change in Rust: npm run build:wasm');
});
