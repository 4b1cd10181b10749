import { installByApt } from './install-by-apt.ts';
import { commandOfPackage, MAY_USE_PREINSTALLED, onSearchPath } from './test-programs.ts';

/** `FIREFOX_PATH`, else the package that the tests install, else any on the machine, or null. */
export function findFirefox(): string | null {
  const preinstalled = () => (MAY_USE_PREINSTALLED ? onSearchPath(['firefox-esr', 'firefox']) : null);
  return process.env.FIREFOX_PATH || (commandOfPackage('firefox-esr') ?? preinstalled());
}

/** Finds Firefox, or installs Debian's package. Null if neither is possible. */
export function findOrInstallFirefox(): string | null {
  return findFirefox() ?? (installByApt('firefox-esr') ? findFirefox() : null);
}
