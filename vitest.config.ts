import { defineConfig } from 'vitest/config';

// Browser tests are Playwright's (tests/e2e); everything else runs here, in Node, without a DOM.
export default defineConfig({
  // Node's own entry of graphql, which graphql-jit uses: the bundlers' entry would be a second copy beside it.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['{domain,web,widget,server,scripts,bench}/**/*.test.{ts,tsx}', 'tests/contract/**/*.test.ts'],
    globalSetup: 'tests/fixtures/postgres-setup.ts',
    // For a test that hangs, and not for one on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
