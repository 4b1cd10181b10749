import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findBrowser } from './browser.ts';
import { OLDEST_BROWSERS } from './oldest-browsers.ts';

it('rejects a BROWSER_PATH that does not exist', () => {
  process.env.BROWSER_PATH = '/nowhere/chromium';
  try {
    expect(findBrowser).toThrow('BROWSER_PATH is /nowhere/chromium, which does not exist');
  } finally {
    delete process.env.BROWSER_PATH;
  }
});

it('names the oldest browsers of the build in the README', () => {
  const named = /targets Chrome and Edge (\S+), Firefox (\S+), Safari (\S+) and newer/.exec(
    readFileSync('README.md', 'utf8'),
  );
  const [, chromium, firefox, safari] = named ?? [];
  expect([`chrome${chromium}`, `edge${chromium}`, `firefox${firefox}`, `safari${safari}`]).toEqual(
    OLDEST_BROWSERS,
  );
});
