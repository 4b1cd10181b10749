import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { installByApt } from './install-by-apt.ts';
import { commandOfPackage, MAY_USE_PREINSTALLED, onSearchPath } from './test-programs.ts';

/** Debian's package of Chromium without windows. With it, the tests need half the processor time. */
const HEADLESS_SHELL = 'chromium-headless-shell';

/** The commands of Chromium and Chrome. The most specific come first. */
const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

const MAC_APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The browser for tests: `BROWSER_PATH`, else the installed one, else any on the machine, else null. */
export function findBrowser(): string | null {
  const named = process.env.BROWSER_PATH;
  if (named) {
    if (existsSync(named)) return named;
    throw new Error(`BROWSER_PATH is ${named}, which does not exist. Correct or unset it.`);
  }
  const preinstalled = MAY_USE_PREINSTALLED ? [onSearchPath(COMMANDS), ...MAC_APPLICATIONS] : [];
  const places = [
    commandOfPackage(HEADLESS_SHELL),
    chromium.executablePath(),
    commandOfPackage('chromium'),
    ...preinstalled,
  ];
  return places.find((path) => path !== null && existsSync(path)) ?? null;
}

/** Finds the browser, or installs one: the system package as root on Debian and Ubuntu, else Playwright's. */
export function findOrInstallBrowser(): string {
  const found = findBrowser();
  if (found !== null && found !== commandOfPackage('chromium')) return found;
  if (!installByApt(HEADLESS_SHELL) && found === null && !installByApt('chromium')) {
    console.log("Chromium not found. Installing Playwright's.");
    execFileSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit' });
  }
  const installed = findBrowser();
  if (installed) return installed;
  throw new Error('Chromium could not be installed. Install it, and set BROWSER_PATH.');
}

/** A browser's version. Starts the browser, because on Windows `--version` opens a window. */
export async function browserVersion(executablePath: string): Promise<string> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    return browser.version();
  } finally {
    await browser.close();
  }
}
