import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

/** The page's sources. The build is stale if one of them is newer. */
const SOURCES = [
  'web',
  'widget',
  'domain',
  'scripts',
  'index.html',
  'accessibility.html',
  'vite.config.ts',
  'package-lock.json',
];
const BUILT = 'dist/web/index.html';

if (newestChange(SOURCES) > changedAt(BUILT)) {
  console.error('Building the page ...');
  await build({ logLevel: 'warn' });
}

function newestChange(paths: readonly string[]): number {
  return Math.max(...paths.map(newestUnder));
}

function newestUnder(path: string): number {
  const entry = statSync(path);
  if (!entry.isDirectory()) return entry.mtimeMs;
  const inside = readdirSync(path, { withFileTypes: true, recursive: true });
  return Math.max(
    entry.mtimeMs,
    ...inside.map((child) => statSync(join(child.parentPath, child.name)).mtimeMs),
  );
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
