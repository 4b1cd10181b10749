import { defineConfig } from 'vitest/config';
import { matched } from './scripts/test-files.ts';

// The main journeys on the built page in Firefox. `npm run test:long` runs them.
export default defineConfig({
  test: { include: matched('tests/firefox/**/*.test.ts'), testTimeout: 60_000, hookTimeout: 120_000 },
});
