import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { installByApt } from './install-by-apt.ts';
import { commandOfPackage, MAY_USE_MACHINE, onSearchPath } from './test-programs.ts';

/** Names that Chromium and Chrome go by on the search path, most specific first. */
const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

const MAC_APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * The browser that tests and screenshots drive: `BROWSER_PATH` where it is set, else what the tests install (Playwright's
 * own, or the system's package), else a Chromium or Chrome of the machine's. Null where there is none.
 */
export function findBrowser(): string | null {
  const named = process.env.BROWSER_PATH;
  if (named) {
    if (existsSync(named)) return named;
    throw new Error(`BROWSER_PATH names ${named}, where there is no file: correct it, or unset it.`);
  }
  const ofMachine = MAY_USE_MACHINE ? [onSearchPath(COMMANDS), ...MAC_APPLICATIONS] : [];
  const places = [chromium.executablePath(), commandOfPackage('chromium'), ...ofMachine];
  return places.find((path) => path !== null && existsSync(path)) ?? null;
}

/** Finds the browser, or installs one: Debian's and Ubuntu's own package as root, elsewhere Playwright's. */
export function findOrInstallBrowser(): string {
  const found = findBrowser();
  if (found) return found;
  if (!installByApt('chromium')) {
    console.log("No Chromium here yet: installing Playwright's.");
    execFileSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit' });
  }
  const installed = findBrowser();
  if (installed) return installed;
  throw new Error('No Chromium could be installed. Install one, and name it in BROWSER_PATH.');
}

/** The version of a browser, from a start of it: on Windows a browser asked by --version opens a window. */
export async function browserVersion(executablePath: string): Promise<string> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    return browser.version();
  } finally {
    await browser.close();
  }
}
