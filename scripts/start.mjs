/** `npm start`: installs what is missing, builds what has changed, and serves the page, which opens its sample trace. */
import { main } from './lib/main.mjs';
import { ensurePackages } from './lib/npmPackages.mjs';
import { buildPage } from './lib/pageBuild.mjs';
import { serverOptions } from './lib/serverOptions.mjs';
import { buildWasm } from './lib/wasmBuild.mjs';

const DEFAULT_PORT = 4173;

await main(async (machine) => {
  const options = serverOptions(process.argv.slice(2), machine.env, DEFAULT_PORT);
  ensurePackages(machine);
  buildWasm(machine);
  buildPage(machine);
  // Imported only once its package is sure to be installed. If the wanted port is taken, the next free one is used.
  const { preview } = await import('vite');
  const server = await preview({ preview: { port: options.port, host: options.host, strictPort: false } });
  const urls = [...(server.resolvedUrls?.local ?? []), ...(server.resolvedUrls?.network ?? [])];
  machine.say(['', 'Corelane, with the built-in sample:', ...urls.map((url) => `    ${url}`)].join('\n'));
  machine.say('Drop a trace.dat on the page to open your own. Ctrl-C ends the server.');
});
