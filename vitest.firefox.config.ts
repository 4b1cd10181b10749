import { defineConfig } from 'vitest/config';

// The built page in the system's own Firefox; npm test runs it after the other browser tests.
export default defineConfig({
  test: { include: ['tests/firefox/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 120_000 },
});
