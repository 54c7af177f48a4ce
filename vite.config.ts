import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Lets browsers fetch the engine's module beside the page's script, which asks for it. */
const preloadEngine: Plugin = {
  name: 'preload-engine',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) => {
      const engine = Object.keys(bundle).find((name) => /tracecore_bg.*\.wasm$/.test(name));
      if (engine === undefined) return [];
      const attrs = { rel: 'preload', as: 'fetch', crossorigin: '', href: `./${engine}` };
      return [{ tag: 'link', attrs, injectTo: 'head' }];
    },
  },
};

export default defineConfig({
  root: 'web',
  publicDir: resolve(import.meta.dirname, 'public'),
  // Addresses are relative, so that the built folder works below any path of any static server.
  base: './',
  plugins: [react(), preloadEngine],
  worker: { format: 'es' },
  build: { outDir: resolve(import.meta.dirname, 'dist'), emptyOutDir: true, target: 'es2022', sourcemap: true },
});
