import { installByApt } from './install-by-apt.ts';
import { commandOfPackage, MAY_USE_PREINSTALLED, onSearchPath } from './test-programs.ts';

/** Firefox: what its Debian package installs, else any on the machine, or null. */
export function findFirefox(): string | null {
  return find('firefox-esr', ['firefox-esr', 'firefox']);
}

/** WebKitGTK's driver, and Xvfb, which gives it a screen. Null if either is missing. */
export function findWebKit(): { driver: string; xvfb: string } | null {
  const driver = find('webkit2gtk-driver', ['WebKitWebDriver']);
  const xvfb = find('xvfb', ['Xvfb']);
  return driver === null || xvfb === null ? null : { driver, xvfb };
}

/** Installs the Debian packages of the engines that are missing. Says which cannot be installed. */
export function installEngines(): void {
  if (findFirefox() === null && !installByApt('firefox-esr')) skipped('Firefox');
  if (findWebKit() === null && !installByApt('webkit2gtk-driver', 'xvfb')) skipped('WebKit');
}

function skipped(engine: string): void {
  console.log(`${engine} not found and not installable: its tests are skipped.`);
}

function find(debianPackage: string, commands: [string, ...string[]]): string | null {
  const preinstalled = MAY_USE_PREINSTALLED ? onSearchPath(commands) : null;
  return commandOfPackage(debianPackage, commands[0]) ?? preinstalled;
}
