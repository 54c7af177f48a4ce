import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'web',
  publicDir: resolve(import.meta.dirname, 'public'),
  // Addresses are relative, so that the built folder works below any path of any static server.
  base: './',
  plugins: [react()],
  worker: { format: 'es' },
  build: { outDir: resolve(import.meta.dirname, 'dist'), emptyOutDir: true, target: 'es2022', sourcemap: true },
});
