import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Whether tests may use any program on the machine. With `TEST_PROGRAMS=installed`, as in `.ci/run`, they use
 * only those that npm, Playwright or system packages install.
 */
export const MAY_USE_PREINSTALLED = process.env.TEST_PROGRAMS !== 'installed';

/** The path of the first command on the search path; null if none is. */
export function onSearchPath(commands: readonly string[]): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const paths = commands.flatMap((command) => folders.map((folder) => join(folder, command)));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** The command of an installed system package on Debian or Ubuntu. */
export function commandOfPackage(name: string): string | null {
  const { stdout } = spawnSync('dpkg', ['--status', name], { encoding: 'utf8' });
  const path = join('/usr/bin', name);
  // Without dpkg there is no output.
  return /^Status: install ok installed$/m.test(stdout ?? '') && existsSync(path) ? path : null;
}

/** The output of a program's `--version`; null if there is none. */
export function versionOf(path: string): string | null {
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 30_000 });
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : null;
}
