import { defineConfig } from 'vitest/config';

// Unit and contract tests, in Node without a DOM. Browser tests are Playwright's (tests/e2e).
export default defineConfig({
  // graphql-jit imports graphql's Node entry; the entry for bundlers would be a second copy of the module.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['{domain,web,widget,server,scripts,bench}/**/*.test.{ts,tsx}', 'tests/contract/**/*.test.ts'],
    globalSetup: 'tests/fixtures/postgres-setup.ts',
    // Long enough for a busy machine; catches only tests that hang.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
