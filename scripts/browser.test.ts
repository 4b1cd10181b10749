import { expect, it } from 'vitest';
import { findBrowser } from './browser.ts';

it('rejects a BROWSER_PATH that does not exist', () => {
  process.env.BROWSER_PATH = '/nowhere/chromium';
  try {
    expect(findBrowser).toThrow('BROWSER_PATH is /nowhere/chromium, which does not exist');
  } finally {
    delete process.env.BROWSER_PATH;
  }
});
