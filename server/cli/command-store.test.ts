import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { withClient } from '../../tests/fixtures/postgres.ts';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { openDatabase } from '../storage/open/database.ts';
import { embeddedStore } from '../storage/store-address.ts';
import { loadInstalledSettings } from './command-store.ts';

const ROOT = join(import.meta.dirname, '../..');
const OWNER = 65_534;

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

function spawn(command: string, words: string[], settings: Record<string, string> = {}) {
  return spawnSync(process.execPath, [join(ROOT, 'server/cli', command), ...words], {
    env: { PATH: process.env.PATH, DATA_DIR: folder.path, SAMPLE_INVENTORY: 'off', ...settings },
    encoding: 'utf8',
  });
}

function run(command: string, ...words: string[]): string {
  const { stdout, stderr } = spawn(command, words);
  return stdout + stderr;
}

function owners(): Set<number> {
  const files = readdirSync(folder.path, { recursive: true, encoding: 'utf8' });
  return new Set(files.map((name) => statSync(join(folder.path, name)).uid));
}

it.runIf(process.getuid?.() === 0)(
  'leaves only files of the data folder’s owner when root runs a command',
  async () => {
    await (await openDatabase(embeddedStore(folder.path))).close();
    for (const path of ['.', ...readdirSync(folder.path)]) chownSync(join(folder.path, path), OWNER, OWNER);
    expect(run('feed.ts', 'status')).toContain('providers.json has no provider');
    expect(run('alerts.ts', 'status')).toContain('Price alerts');
    expect(existsSync(join(folder.path, 'inventory.sqlite'))).toBe(true);
    expect(existsSync(join(folder.path, 'alerts.key'))).toBe(true);
    expect(owners()).toEqual(new Set([OWNER]));

    const backups = temporaryFolder();
    chmodSync(backups.path, 0o700);
    expect(run('backup.ts', join(backups.path, 'store.sqlite'))).toContain('checked');
    expect(run('restore.ts', '--yes', join(backups.path, 'store.sqlite'))).toContain('has been restored');
    backups.remove();
    expect(owners()).toEqual(new Set([OWNER]));
  },
);

const NEEDING_A_STORE = [
  'admin password',
  'admin show',
  'admin off --yes',
  'alerts status',
  'alerts erase 07700900123 --yes',
  'backup backups/',
  'feed check SUNW',
  'feed status',
  'feed remove SUNW --yes',
  'market',
  'notices status',
  'price-accuracy',
  'prices-rebuild',
  'sample-clear --yes',
];

describe('without a store', () => {
  it.each(NEEDING_A_STORE)('%s fails, names where it looked and creates nothing', (line) => {
    const [name, ...words] = line.split(' ');
    const dataDir = join(folder.path, 'elsewhere');
    const { status, stdout, stderr } = spawn(`${name}.ts`, words, { DATA_DIR: dataDir });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`Store: ${join(dataDir, 'inventory.sqlite')}\n`);
    expect(stderr).toContain(`There is no store in ${dataDir}`);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('doctor warns, and creates nothing', () => {
    const { stderr, stdout } = spawn('doctor.ts', [], { DATA_DIR: join(folder.path, 'elsewhere') });
    expect(stderr).toContain(`Store: ${join(folder.path, 'elsewhere/inventory.sqlite')}`);
    expect(stdout).toMatch(/^warn +There is no store yet/m);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('commands leave an empty PostgreSQL database empty, and print no password', async () => {
    const url = new URL(inject('postgresUrl'));
    const name = `empty_${process.pid}`;
    await withClient(url.href, (client) => client.query(`create database ${name}`));
    url.pathname = `/${name}`;
    const settings = { DATABASE_URL: url.href, ALERTS_KEY: 'a'.repeat(64), TOKEN_KEY: 'a'.repeat(64) };
    for (const line of ['admin password', 'alerts status', 'feed status', 'prices-rebuild', 'distribute']) {
      const [command, ...words] = line.split(' ');
      const { status, stderr } = spawn(`${command}.ts`, words, settings);
      expect(status).toBe(1);
      expect(stderr).toContain(`Store: PostgreSQL database ${name} at ${url.host}\n`);
      expect(stderr).toContain('There is no store in this database');
    }
    const { rows } = await withClient(url.href, (client) =>
      client.query("select 1 from pg_class where relnamespace = 'public'::regnamespace"),
    );
    expect(rows).toEqual([]);
    await withClient(inject('postgresUrl'), (client) => client.query(`drop database ${name}`));
  });
});

describe('where a server is installed', () => {
  it('commands use its settings, unless the caller has chosen a store', () => {
    const path = join(folder.path, 'environment');
    writeFileSync(path, 'DATA_DIR=/var/lib/skylark\nPORT=3100\n');
    const settings = (variables: NodeJS.ProcessEnv) => {
      loadInstalledSettings(variables, path);
      return variables;
    };
    expect(settings({})).toEqual({ DATA_DIR: '/var/lib/skylark', PORT: '3100' });
    expect(settings({ PORT: '3000' })).toEqual({ DATA_DIR: '/var/lib/skylark', PORT: '3000' });
    expect(settings({ DATA_DIR: 'data' })).toEqual({ DATA_DIR: 'data' });
  });
});
