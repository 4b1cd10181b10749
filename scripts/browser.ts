import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';

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
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = COMMANDS.flatMap((command) => folders.map((folder) => join(folder, command)));
  return [...onPath, ...MAC_APPLICATIONS, chromium.executablePath()].find((path) => existsSync(path)) ?? null;
}

/** Finds the browser, or installs one: Debian's and Ubuntu's own package as root, elsewhere Playwright's. */
export function findOrInstallBrowser(): string {
  const found = findBrowser();
  if (found) return found;
  if (isRoot() && hasAptGet()) {
    console.log("No Chromium here yet: installing the system's package (about half a minute).");
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    run('apt-get', ['update', '-q'], environment);
    run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], environment);
  } else {
    console.log("No Chromium here yet: installing Playwright's.");
    run('npx', ['playwright', 'install', 'chromium'], process.env);
  }
  const installed = findBrowser();
  if (installed) return installed;
  throw new Error('No Chromium could be installed. Install one, and name it in BROWSER_PATH.');
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function hasAptGet(): boolean {
  return spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0;
}

function run(command: string, args: string[], env: NodeJS.ProcessEnv): void {
  execFileSync(command, args, { stdio: 'inherit', env });
}
