import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { importersOf, matched } from './scripts/test-files.ts';

// Workers, threads and spawned servers start faster with compiled code.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node-compile');

const LONG = '**/*.long.test.ts';
const CITUS = '**/citus-*.long.test.ts';
const POSTGRES = 'tests/fixtures/postgres-setup.ts';

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
          include: matched('{domain,web,widget,scripts,bench}/**/*.test.{ts,tsx}'),
          exclude: [LONG],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: matched('server/**/*.test.ts', 'tests/{contract,simulation}/**/*.test.ts'),
          exclude: [LONG],
          globalSetup: POSTGRES,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: matched(LONG),
          exclude: ['**/node_modules/**', CITUS],
          globalSetup: POSTGRES,
        },
      },
      // On the built page.
      { extends: true, test: { name: 'browsers', include: matched('tests/browsers/**/*.test.ts') } },
      {
        extends: true,
        test: {
          name: 'citus',
          include: citusSuites(),
          exclude: ['**/node_modules/**'],
          globalSetup: POSTGRES,
          // The three servers of a cluster use all processors, and one that is late counts as lost.
          retry: 1,
        },
      },
    ],
  },
});

/** The suites of a cluster, and those that import this module. They run where there is an archive of Citus. */
function citusSuites(): string[] {
  if (!process.env.CITUS_ARCHIVE) return [];
  return [...matched(CITUS), ...importersOf('shared-store-kinds.ts', '{server,tests}/**/*.test.ts')];
}
