import { globSync, statSync } from 'node:fs';
import { build } from 'vite';

/** The sources of the page. If one of them is newer than the build, the build is stale. */
const SOURCES = [
  '{web,widget,domain,scripts}/**',
  '{index,accessibility}.html',
  'vite.config.ts',
  'package-lock.json',
];
const BUILT = 'dist/web/index.html';

const changedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
if (Math.max(...globSync(SOURCES).map(changedAt)) > changedAt(BUILT)) {
  console.error('Building the page ...');
  await build({ logLevel: 'warn' });
}
