import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // A process for each file, which loads the modules again, took three times as long.
    pool: 'threads',
    isolate: false,
    // Some tests start programs, and the machine may be busy.
    testTimeout: 30_000,
    include: ['web/**/*.test.{ts,tsx}', 'bench/**/*.test.{ts,mjs}', 'scripts/**/*.test.mjs'],
  },
});
