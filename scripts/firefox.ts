import { installByApt } from './install-by-apt.ts';
import { commandOfPackage, MAY_USE_MACHINE, onSearchPath } from './test-programs.ts';

/** Firefox: `FIREFOX_PATH` where it is set, else the package that tests install, else the machine's; null where there is none. */
export function findFirefox(): string | null {
  const ofMachine = () => (MAY_USE_MACHINE ? onSearchPath(['firefox-esr', 'firefox']) : null);
  return process.env.FIREFOX_PATH || (commandOfPackage('firefox-esr') ?? ofMachine());
}

/** Finds Firefox, or installs Debian's where that can be done; null where it cannot. */
export function findOrInstallFirefox(): string | null {
  const found = findFirefox();
  if (found !== null) return found;
  installByApt('firefox-esr');
  return findFirefox();
}
