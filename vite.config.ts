import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// `base: './'`: the built folder works below any path of any static server.
export default defineConfig({
  base: './',
  plugins: [react()],
  worker: { format: 'es' },
  build: { target: 'es2022', sourcemap: true },
});
