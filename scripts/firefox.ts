import { onSearchPath } from './browser.ts';
import { installByApt } from './install-by-apt.ts';

/** The system's Firefox: `FIREFOX_PATH` where it is set, else the first on the search path; null where there is none. */
export function findFirefox(): string | null {
  return process.env.FIREFOX_PATH || onSearchPath(['firefox-esr', 'firefox']);
}

/** Finds Firefox, or installs Debian's where that can be done; null where it cannot. */
export function findOrInstallFirefox(): string | null {
  const found = findFirefox();
  if (found !== null) return found;
  installByApt('firefox-esr');
  return findFirefox();
}
