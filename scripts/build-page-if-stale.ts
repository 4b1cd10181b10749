import { spawnSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';

/** The sources of the page. If one of them is newer than the build, the build is stale. */
const SOURCES = [
  '{web,widget,domain,scripts}/**',
  '{index,accessibility}.html',
  'vite.config.ts',
  'package-lock.json',
];
const BUILT = 'dist/web/index.html';

/** Builds the page in a process of its own, which frees its memory. Ends this process if the build fails. */
export function buildPageIfStale(): void {
  const changedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Math.max(...globSync(SOURCES).map(changedAt)) <= changedAt(BUILT)) return;
  console.error('Building the page ...');
  const words = ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'];
  const { status, error } = spawnSync(process.execPath, words, { stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
