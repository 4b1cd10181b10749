import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { installByApt } from './install-by-apt.ts';

/** Names that Chromium and Chrome go by on the search path, most specific first. */
const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

const MAC_APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * The browser that tests and screenshots drive: `BROWSER_PATH` where it is set, else a Chromium or Chrome of
 * the system's, else Playwright's own. Null where there is none.
 */
export function findBrowser(): string | null {
  const named = process.env.BROWSER_PATH;
  if (named) {
    if (existsSync(named)) return named;
    throw new Error(`BROWSER_PATH names ${named}, where there is no file: correct it, or unset it.`);
  }
  const places = [onSearchPath(COMMANDS), ...MAC_APPLICATIONS, chromium.executablePath()];
  return places.find((path) => path !== null && existsSync(path)) ?? null;
}

/** The first of some commands that is on the search path, as a path; null where none is. */
export function onSearchPath(commands: readonly string[]): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const paths = commands.flatMap((command) => folders.map((folder) => join(folder, command)));
  return paths.find((path) => existsSync(path)) ?? null;
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
