import { defineConfig } from 'vitest/config';

// Browser tests are Playwright's (tests/e2e); everything else runs here, in Node, without a DOM.
export default defineConfig({
  test: {
    include: ['{domain,web,server,scripts}/**/*.test.{ts,tsx}', 'tests/{unit,contract}/**/*.test.ts'],
    testTimeout: 30_000,
  },
});
