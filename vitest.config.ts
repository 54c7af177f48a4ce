import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Some tests start programs, and the machine may be busy.
  test: {
    testTimeout: 30_000,
    include: ['web/**/*.test.{ts,tsx}', 'bench/**/*.test.{ts,mjs}', 'scripts/**/*.test.mjs'],
  },
});
