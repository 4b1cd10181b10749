import { defineConfig } from 'vitest/config';

// The main journeys on the built page in Firefox. `npm run test:long` runs them.
export default defineConfig({
  test: { include: ['tests/firefox/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 120_000 },
});
