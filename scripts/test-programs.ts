import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** With `TEST_PROGRAMS=installed`, tests only use what npm, Playwright or system packages install. */
export const MAY_USE_PREINSTALLED = process.env.TEST_PROGRAMS !== 'installed';

/** The path of the first of these commands on the search path. Null if none is there. */
export function onSearchPath(commands: readonly string[]): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const paths = commands.flatMap((command) => folders.map((folder) => join(folder, command)));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** The command of a system package that is installed on Debian or Ubuntu. */
export function commandOfPackage(name: string, command = name): string | null {
  const { stdout } = spawnSync('dpkg', ['--status', name], { encoding: 'utf8' });
  const path = join('/usr/bin', command);
  // Without dpkg, the output is missing.
  return /^Status: install ok installed$/m.test(stdout ?? '') && existsSync(path) ? path : null;
}
