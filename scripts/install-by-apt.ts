import { spawnSync } from 'node:child_process';

/** Installs a package of Debian's or Ubuntu's, as root; false where that is not to be done here. */
export function installByApt(name: string): boolean {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0) {
    return false;
  }
  console.log(`No ${name} here yet: installing the system's package (about half a minute).`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return [
    ['update', '-q'],
    ['install', '-y', '-q', '--no-install-recommends', name],
  ].every((args) => spawnSync('apt-get', args, { stdio: 'inherit', env }).status === 0);
}
