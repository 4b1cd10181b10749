import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Whether tests may run on programs that happen to be on this machine. `TEST_PROGRAMS=installed`, which `.ci/run`
 * sets, leaves those that npm, Playwright or the system's packages install, as on a machine where nothing was before.
 */
export const MAY_USE_MACHINE = process.env.TEST_PROGRAMS !== 'installed';

/** The first of some commands that is on the search path, as a path; null where none is. */
export function onSearchPath(commands: readonly string[]): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const paths = commands.flatMap((command) => folders.map((folder) => join(folder, command)));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** The command of a package of Debian's or Ubuntu's, where that is installed: `installByApt` would bring the same. */
export function commandOfPackage(name: string): string | null {
  const { stdout } = spawnSync('dpkg', ['--status', name], { encoding: 'utf8' });
  const path = join('/usr/bin', name);
  // Where there is no dpkg there is no text.
  return /^Status: install ok installed$/m.test(stdout ?? '') && existsSync(path) ? path : null;
}

/** What a program says of its version; null where it says nothing. */
export function versionOf(path: string): string | null {
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 30_000 });
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : null;
}
