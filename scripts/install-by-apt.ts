import { spawnSync } from 'node:child_process';

/** Installs a system package with apt as root. Returns false if that is not possible, or fails. */
export function installByApt(name: string): boolean {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0) {
    return false;
  }
  console.log(`${name} not found. Installing the system package (about half a minute).`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return [
    ['update', '-q'],
    ['install', '-y', '-q', '--no-install-recommends', name],
  ].every((args) => spawnSync('apt-get', args, { stdio: 'inherit', env }).status === 0);
}
