import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Workers, threads and spawned servers start faster with compiled code.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node-compile');

const LONG = '**/*.long.test.ts';
const POSTGRES = 'tests/fixtures/postgres-setup.ts';
/** Suites that also run on Citus, in the long run. */
const CITUS = [
  'server/ingest/inventory-writer.test.ts',
  'server/price-history/seen-days.test.ts',
  'tests/contract/{alerts-watching,busy-connections,feed-hotels,feed-import,lost-commits}.test.ts',
  'tests/contract/{missing-records,order-of-imports,parties-on-sale,price-blocks,price-refresh}.test.ts',
  'tests/contract/suites/package-repository.test.ts',
];

// Unit and contract tests, in Node without a DOM. Browser tests are Playwright's (tests/e2e).
export default defineConfig({
  // graphql-jit imports graphql's Node entry; the entry for bundlers would be a second copy of the module.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    // Long enough for a busy machine; catches only tests that hang.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Workers often wait for servers and stores, so none of the cores is left free.
    maxWorkers: '100%',
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{domain,web,widget,scripts,bench}/**/*.test.{ts,tsx}'],
          exclude: [LONG],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', 'tests/contract/**/*.test.ts'],
          exclude: [LONG],
          globalSetup: POSTGRES,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: [LONG, ...(process.env.CITUS_ARCHIVE ? CITUS : [])],
          exclude: ['**/node_modules/**'],
          globalSetup: POSTGRES,
        },
      },
    ],
  },
});
