import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

// With an incomplete lock file, `npm ci` asks the registry for what is missing. It then fails with "Invalid
// Version", or installs versions that are not pinned.

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

const LOCK = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')) as {
  readonly packages: Record<string, LockedPackage>;
};
const installed = Object.entries(LOCK.packages).filter(([path]) => path !== '');

/** Finds a dependency as Node does: in the package's own `node_modules`, or in one above it. */
function isLocked(dependency: string, from: string): boolean {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const path = folder === '' ? `node_modules/${dependency}` : `${folder}/node_modules/${dependency}`;
    if (LOCK.packages[path] !== undefined) return true;
    if (folder === '') return false;
  }
}

describe('The lock file', () => {
  it('pins each package by version and integrity', () => {
    expect(installed.length).toBeGreaterThan(100);
    const unpinned = installed.filter(([, { version, integrity }]) => !version || !integrity);
    expect(unpinned.map(([path]) => path)).toEqual([]);
  });

  it('lists every dependency, including optional ones of other platforms', () => {
    const missing = Object.entries(LOCK.packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((dependency) => !isLocked(dependency, path))
        .map((dependency) => `${path}: ${dependency}`),
    );
    expect(missing).toEqual([]);
  });
});
