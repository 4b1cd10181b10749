import { spawnSync } from 'node:child_process';

/** Installs system packages with apt as root. Returns false if that is not possible, or fails. */
export function installByApt(...names: string[]): boolean {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0) {
    return false;
  }
  console.log(`Installing ${names.join(' and ')} (about half a minute).`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return [
    ['update', '-q'],
    ['install', '-y', '-q', '--no-install-recommends', ...names],
  ].every((args) => spawnSync('apt-get', args, { stdio: 'inherit', env }).status === 0);
}
