import { join } from 'node:path';
import { defineConfig, devices } from '@playwright/test';
import { findBrowser } from './scripts/browser.ts';

// Workers and servers start faster with compiled code.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node-compile');

const executablePath = findBrowser();

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  // The browser, the page and the server share two cores; more workers would only wait.
  workers: 2,
  forbidOnly: true,
  // A browser on a busy machine may miss a deadline once. What fails twice fails; what needed both tries is listed as flaky.
  retries: 1,
  // Long enough for a busy machine; catches only tests that hang.
  timeout: 180_000,
  // One picture for all machines: the tolerance covers differences between browsers.
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  // A missing picture fails the test. `--update-snapshots` creates it; review it before you commit it.
  updateSnapshots: 'none',
  // Long tests run in `npm run test:long` only.
  projects: [
    { name: 'page', testIgnore: '**/*.long.spec.ts' },
    { name: 'long', testMatch: '**/*.long.spec.ts' },
  ],
  expect: {
    timeout: 30_000,
    toHaveScreenshot: {
      animations: 'disabled',
      caret: 'hide',
      scale: 'css',
      threshold: 0.25,
      maxDiffPixelRatio: 0.02,
    },
  },
  reporter: [['list']],
  use: {
    ...devices['Desktop Chrome'],
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    trace: 'on-first-retry',
    // Tests that change responses must see each request. offline.spec.ts allows workers.
    serviceWorkers: 'block',
    launchOptions: {
      ...(executablePath === null ? {} : { executablePath }),
      // Chromium has no sandbox as root in a container; the pages under test are trusted.
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // The map needs WebGL, which the processor draws. It need not draw the rest of the page so too.
        '--use-angle=swiftshader',
        '--enable-unsafe-swiftshader',
        '--disable-gpu-compositing',
      ],
    },
  },
});
