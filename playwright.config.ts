import { defineConfig, devices } from '@playwright/test';
import { findBrowser } from './scripts/browser.ts';

const executablePath = findBrowser();

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  // Two cores serve the browser, the page and the server at once; more workers only wait for one another.
  workers: 2,
  forbidOnly: true,
  retries: 0,
  timeout: 30_000,
  // One picture for every machine: a difference of browsers is in the tolerance, not in a file's name.
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  // A picture that is not there yet is a fault until somebody has looked at it: --update-snapshots makes it.
  updateSnapshots: 'none',
  expect: {
    timeout: 10_000,
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
    trace: 'retain-on-failure',
    launchOptions: {
      ...(executablePath === null ? {} : { executablePath }),
      // A container's root has no sandbox of its own to offer; the pages under test are ours.
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
