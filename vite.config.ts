import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { headerFiles } from './scripts/lib/headerFiles.mjs';
import { PAGE_POLICY } from './web/base/policy';

/** Lets browsers fetch the engine's module beside the page's script, which asks for it. */
const preloadEngine: Plugin = {
  name: 'preload-engine',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) => {
      const engine = Object.keys(bundle).find((name) => /engine_bg.*\.wasm$/.test(name));
      if (engine === undefined) return [];
      const attrs = { rel: 'preload', as: 'fetch', crossorigin: '', href: `./${engine}` };
      return [{ tag: 'link', attrs, injectTo: 'head' }];
    },
  },
};

/** The built page only: the development server's styles and reloading are scripts and connections of its own. */
const contentPolicy: Plugin = {
  name: 'content-policy',
  apply: 'build',
  transformIndexHtml: () => [
    { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: PAGE_POLICY }, injectTo: 'head-prepend' },
  ],
};

const PUBLIC = resolve(import.meta.dirname, 'public');

/** Tells the service worker which files the page has, and a version that is another when one of them is. */
const listFiles: Plugin = {
  name: 'list-files',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const worker = bundle['sw.js'];
      if (worker?.type !== 'chunk') throw new Error('the service worker was not built');
      const hash = createHash('sha256');
      const files: string[] = [];
      const add = (name: string, content: string | Uint8Array) => {
        files.push(name);
        hash.update(name).update(content);
      };
      for (const [name, file] of Object.entries(bundle).sort(([a], [b]) => (a < b ? -1 : 1))) {
        if (file !== worker && !name.endsWith('.map')) add(name, file.type === 'chunk' ? file.code : file.source);
      }
      for (const name of readdirSync(PUBLIC).sort()) add(name, readFileSync(resolve(PUBLIC, name)));
      // The page is asked for by the address of its folder.
      const listed = files.filter((name) => name !== 'index.html');
      const told = JSON.stringify({ version: hash.digest('hex').slice(0, 16), files: listed });
      worker.code = `const CORELANE_FILES = ${told};\n${worker.code}`;
    },
  },
};

/**
 * Leaves each file packed by brotli beside it, as `NAME.br`: servers that look for such files, `corelane serve` among them, send
 * a fifth less than what they pack by gzip themselves, and need no time for it.
 */
const packFiles: Plugin = {
  name: 'pack-files',
  apply: 'build',
  enforce: 'post',
  async writeBundle({ dir = '' }, bundle) {
    const pack = promisify(brotliCompress);
    const names = Object.keys(bundle).filter((name) => /\.(css|html|js|wasm)$/.test(name));
    const packing = names.map(async (name) => {
      const path = join(dir, name);
      await writeFile(`${path}.br`, await pack(await readFile(path)));
    });
    await Promise.all(packing);
  },
};

/** Leaves files in the built folder that tell web servers which headers to send. The page does not fetch them. */
const writeHeaders: Plugin = {
  name: 'write-headers',
  apply: 'build',
  enforce: 'post',
  async writeBundle({ dir = '' }) {
    for (const [name, text] of Object.entries(headerFiles(PAGE_POLICY))) {
      await mkdir(dirname(join(dir, name)), { recursive: true });
      await writeFile(join(dir, name), text);
    }
  },
};

export default defineConfig({
  root: 'web',
  publicDir: PUBLIC,
  // Addresses are relative, so that the built folder works below any path of any static server.
  base: './',
  plugins: [react(), preloadEngine, contentPolicy, listFiles, packFiles, writeHeaders],
  worker: { format: 'es' },
  build: {
    outDir: resolve(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: true,
    rolldownOptions: {
      // Packing takes most of the time, and is meant to.
      checks: { bundlerTimings: false },
      input: {
        index: resolve(import.meta.dirname, 'web/index.html'),
        sw: resolve(import.meta.dirname, 'web/serviceWorker.ts'),
      },
      // A service worker keeps its address: browsers ask there for a new version.
      output: { entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js') },
    },
  },
});
