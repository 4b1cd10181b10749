import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSmallAlerts, SOMEBODY } from '../../tests/fixtures/alerts/small-alerts.ts';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { alertKeys, readAlertSecret } from '../alerts/keys/alert-keys.ts';
import { alertsKeyState } from '../alerts/status/alerts-key-state.ts';
import { openAlertStore } from '../alerts/tables/alert-store.ts';
import { decryptContact } from '../alerts/tables/contacts.ts';
import { databasePath, openDatabase, openDatabaseForReading } from '../storage/open/database.ts';
import { embeddedStore } from '../storage/store-address.ts';
import { backupStore } from './backup-store.ts';
import { restoreStore } from './restore-store.ts';

const AT = Date.UTC(2027, 3, 1, 12);
const ROOT = join(import.meta.dirname, '../..');

/** A program that writes two notes with the same value, and many pages of data, until it is stopped. */
const WRITER = `
  import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
  const database = new DatabaseSync(process.argv[1], { timeout: 10_000 });
  const note = database.prepare('insert into note (name, value) values (?, ?) on conflict (name) do update set value = excluded.value');
  for (let turn = 1; ; turn += 1) {
    database.exec('begin immediate');
    note.run('load.first', String(turn));
    for (let at = 0; at < 50; at += 1) note.run('load.' + ((turn * 50 + at) % 5000), String(turn).padEnd(300, '.'));
    note.run('load.last', String(turn));
    database.exec('commit');
    if (turn === 1) console.log('writing');
  }
`;

let folder: ReturnType<typeof temporaryFolder>;
let elsewhere: ReturnType<typeof temporaryFolder>;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = temporaryFolder();
  elsewhere = temporaryFolder();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  folder.remove();
  elsewhere.remove();
});

async function startWriting(dataDir: string): Promise<ChildProcess> {
  const writer = spawn(process.execPath, ['--input-type=module', '-e', WRITER, databasePath(dataDir)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(writer);
  await once(createInterface(writer.stdout), 'line');
  return writer;
}

async function noteOf(dataDir: string, name: string): Promise<string> {
  const database = openDatabaseForReading(embeddedStore(dataDir));
  const value = (await database.prepare('select value from note where name = ?').get(name))?.value;
  await database.close();
  return String(value);
}

/** The files of the target folder, without the journals that readers create. */
function storeFiles(): string[] {
  return readdirSync(elsewhere.path).filter((name) => !/-(wal|shm)$/.test(name));
}

describe('backup and restore', () => {
  it('backs up a consistent snapshot, with packages and watches, of a store that is being written to', async () => {
    const alerts = await openSmallAlerts();
    const [watched] = alerts.itemKeys;
    if (watched === undefined) throw new Error('The small inventory has nothing on sale');
    await alerts.watch(SOMEBODY, watched);
    const writer = await startWriting(alerts.dataDir);
    const file = join(folder.path, 'backup.sqlite.gz');
    const written = await backupStore(embeddedStore(alerts.dataDir), file, AT);
    writer.kill('SIGKILL');
    expect(written).toMatchObject({ kind: 'written', file });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder.path)).toEqual(['backup.sqlite.gz']);

    const restored = await restoreStore(file, elsewhere.path);
    expect(restored).toMatchObject({ kind: 'restored', hasReplaced: false });
    expect(Number(await noteOf(elsewhere.path, 'load.first'))).toBeGreaterThan(0);
    expect(await noteOf(elsewhere.path, 'load.first')).toBe(await noteOf(elsewhere.path, 'load.last'));

    const key = join(alerts.dataDir, 'alerts.key');
    const reading = openDatabaseForReading(embeddedStore(elsewhere.path));
    expect(await alertsKeyState(reading, null, embeddedStore(elsewhere.path))).toBe('missing');
    copyFileSync(key, join(elsewhere.path, 'alerts.key'));
    expect(await alertsKeyState(reading, null, embeddedStore(elsewhere.path))).toBe('fits');
    expect(await alertsKeyState(reading, new Uint8Array(32), embeddedStore(elsewhere.path))).toBe('another');
    await reading.close();
    const store = await openAlertStore(embeddedStore(elsewhere.path), (mayCreate) =>
      alertKeys(readAlertSecret(null, embeddedStore(elsewhere.path), mayCreate)),
    );
    expect(await store.sql.all`select item_key, state from alert_watch`).toEqual([
      { item_key: watched, state: 'active' },
    ]);
    const contact = await store.sql.get`select * from alert_contact`;
    expect(await decryptContact(store, Number(contact?.id))).toBe(SOMEBODY);
    expect((await store.packages.find(watched))?.price).toBe(await alerts.priceOf(watched));
    await store.close();
    await alerts.close();
  });

  it('replaces another store completely', async () => {
    await (await openDatabase(embeddedStore(folder.path))).close();
    const file = join(folder.path, 'backup.sqlite.gz');
    await backupStore(embeddedStore(folder.path), file, AT);
    const other = await openDatabase(embeddedStore(elsewhere.path));
    await other.exec("insert into note (name, value) values ('mine', 'old')");
    await other.close();
    expect(await restoreStore(file, elsewhere.path)).toMatchObject({ hasReplaced: true });
    expect(await noteOf(elsewhere.path, 'mine')).toBe('undefined');
    expect(storeFiles()).toEqual(['inventory.sqlite']);
  });

  it('ignores the journal of a store that was moved away', async () => {
    await (await openDatabase(embeddedStore(folder.path))).close();
    const file = join(folder.path, 'backup.sqlite.gz');
    await backupStore(embeddedStore(folder.path), file, AT);
    await (await openDatabase(embeddedStore(elsewhere.path))).close();
    const writer = await startWriting(elsewhere.path);
    writer.kill('SIGKILL');
    await once(writer, 'exit');
    const store = databasePath(elsewhere.path);
    expect(existsSync(`${store}-wal`)).toBe(true);
    renameSync(store, `${store}.damaged`);
    expect(await restoreStore(file, elsewhere.path)).toMatchObject({ kind: 'restored', hasReplaced: false });
    expect(await noteOf(elsewhere.path, 'load.first')).toBe('undefined');
    expect(storeFiles()).toEqual(['inventory.sqlite', 'inventory.sqlite.damaged']);
  });

  it('restores an uncompressed backup of an earlier version, and checks it by its SHA-256', async () => {
    await (await openDatabase(embeddedStore(folder.path))).close();
    const compressed = join(folder.path, 'backup.sqlite.gz');
    await backupStore(embeddedStore(folder.path), compressed, AT);
    const old = join(folder.path, 'old.sqlite');
    const bytes = gunzipSync(readFileSync(compressed));
    writeFileSync(old, bytes);
    writeFileSync(`${old}.sha256`, `${createHash('sha256').update(bytes).digest('hex')}  old.sqlite\n`);
    expect(await restoreStore(old, elsewhere.path)).toMatchObject({ kind: 'restored' });
    writeFileSync(`${old}.sha256`, `${'0'.repeat(64)}  old.sqlite\n`);
    expect(await restoreStore(old, elsewhere.path)).toEqual({
      kind: 'refused',
      message: expect.stringContaining('its bytes are not those of the backup'),
    });
    rmSync(`${old}.sha256`);
    expect(await restoreStore(old, elsewhere.path)).toMatchObject({ kind: 'restored' });
    writeFileSync(old, bytes.subarray(0, -8_192));
    expect(await restoreStore(old, elsewhere.path)).toMatchObject({ kind: 'refused' });
  });

  it('replaces a damaged store', async () => {
    await (await openDatabase(embeddedStore(folder.path))).close();
    const file = join(folder.path, 'backup.sqlite.gz');
    await backupStore(embeddedStore(folder.path), file, AT);
    writeFileSync(databasePath(elsewhere.path), 'not a database at all'.repeat(500));
    expect(await restoreStore(file, elsewhere.path)).toMatchObject({ kind: 'restored' });
    await (await openDatabase(embeddedStore(elsewhere.path))).close();
  });
});

describe('backupStore rejects', () => {
  it('a missing store, and a target file that exists', async () => {
    const nothing = await backupStore(embeddedStore(elsewhere.path), join(folder.path, 'a'), AT);
    expect(nothing).toEqual({ kind: 'refused', message: expect.stringContaining('Check DATA_DIR.') });
    await (await openDatabase(embeddedStore(elsewhere.path))).close();
    writeFileSync(join(folder.path, 'a'), 'mine');
    const taken = await backupStore(embeddedStore(elsewhere.path), join(folder.path, 'a'), AT);
    expect(taken).toEqual({ kind: 'refused', message: expect.stringContaining('already exists') });
    expect(readFileSync(join(folder.path, 'a'), 'utf8')).toBe('mine');
  });

  it('a target that cannot be written', async () => {
    await (await openDatabase(embeddedStore(elsewhere.path))).close();
    writeFileSync(join(folder.path, 'file'), '');
    const result = await backupStore(embeddedStore(elsewhere.path), join(folder.path, 'file/backup'), AT);
    expect(result).toEqual({ kind: 'refused', message: expect.stringContaining('cannot be written') });
  });
});

describe('restoreStore leaves the store unchanged and refuses', () => {
  let backup: string;
  beforeEach(async () => {
    const source = await openDatabase(embeddedStore(folder.path));
    await source.exec("insert into note (name, value) values ('mine', 'new')");
    await source.close();
    backup = join(folder.path, 'backup.sqlite.gz');
    await backupStore(embeddedStore(folder.path), backup, AT);
    const mine = await openDatabase(embeddedStore(elsewhere.path));
    await mine.exec("insert into note (name, value) values ('mine', 'old')");
    await mine.close();
  });

  async function refusal(file: string): Promise<string> {
    const result = await restoreStore(file, elsewhere.path);
    expect(await noteOf(elsewhere.path, 'mine')).toBe('old');
    expect(storeFiles()).toEqual(['inventory.sqlite']);
    return result.kind === 'refused' ? result.message : result.kind;
  }

  it('to restore while a server has the store open', async () => {
    const server = await openDatabase(embeddedStore(elsewhere.path));
    expect(await refusal(backup)).toContain('has the store open. Stop it first');
    await server.close();
  });

  it('to restore while another process writes to the store', async () => {
    await startWriting(elsewhere.path);
    const result = await restoreStore(backup, elsewhere.path);
    expect(result).toEqual({ kind: 'refused', message: expect.stringContaining('has the store open') });
  });

  it.each([
    ['is missing', (path: string) => path, 'does not exist'],
    [
      'is something else',
      (path: string) => {
        writeFileSync(path, 'x'.repeat(10_000));
      },
      'file is not a database',
    ],
    [
      'is empty',
      (path: string) => {
        writeFileSync(path, '');
      },
      'it is not a Skylark store',
    ],
    [
      'is cut off',
      (path: string) => {
        const whole = readFileSync(backup);
        writeFileSync(path, whole.subarray(0, whole.length - 8_192));
      },
      'cannot be restored',
    ],
    [
      'is of a newer Skylark',
      (path: string) => {
        writeFileSync(path, gunzipSync(readFileSync(backup)));
        const newer = new DatabaseSync(path);
        newer.exec('pragma user_version = 999');
        newer.close();
      },
      'written by a newer Skylark (schema 999',
    ],
  ])('if the file %s', async (_, make, words) => {
    const path = join(folder.path, 'given');
    make(path);
    expect(await refusal(path)).toContain(words);
  });

  it('a backup in which any bit has changed, or which is cut short', async () => {
    const whole = readFileSync(backup);
    const path = join(folder.path, 'damaged.sqlite.gz');
    for (let nth = 0; nth < 40; nth += 1) {
      const bytes = Buffer.from(whole);
      // Starts after gzip's header.
      const at = 10 + Math.floor(((whole.length - 11) * nth) / 39);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (nth % 8)), at);
      writeFileSync(path, bytes);
      expect(await refusal(path)).toContain('Copy it again');
    }
    for (const missing of [1, 100, whole.length - 50]) {
      writeFileSync(path, whole.subarray(0, -missing));
      expect(await refusal(path)).toContain('it is damaged or cut off');
    }
  });

  it('a backup in which an index lacks rows of its table', async () => {
    const path = join(folder.path, 'damaged.sqlite');
    writeFileSync(path, gunzipSync(readFileSync(backup)));
    const database = new DatabaseSync(path, { defensive: false });
    database.exec(`create table pair (one, other); create index pair_one on pair (one);
      insert into pair values (1, 2); pragma writable_schema = on;
      update sqlite_schema set sql = 'create index pair_one on pair (other)' where name = 'pair_one'`);
    database.close();
    expect(await refusal(path)).toContain('it is damaged: row 1 missing from index pair_one');
  });
});

describe('The backup and restore commands', () => {
  let variables: Record<string, string | undefined>;
  beforeEach(() => {
    variables = { PATH: process.env.PATH, DATA_DIR: folder.path, INIT_CWD: elsewhere.path };
  });

  function run(script: string, ...args: string[]) {
    return spawnSync(process.execPath, [join(ROOT, 'server/cli', script), ...args], {
      env: variables,
      encoding: 'utf8',
    });
  }

  it('back up into a folder, restore from it, and report what they did', async () => {
    await (await openDatabase(embeddedStore(folder.path))).close();
    const made = run('backup.ts', `${elsewhere.path}/nightly/`);
    expect(made.stderr).toBe(`Store: ${databasePath(folder.path)}\n`);
    expect(made.status).toBe(0);
    expect(made.stdout).toContain('0 packages, checked.');
    expect(made.stdout).toContain('It contains no keys.');
    const [file = ''] = readdirSync(join(elsewhere.path, 'nightly'));
    expect(file).toMatch(/^skylark-\d{4}-\d\d-\d\dT\d{6}Z\.sqlite\.gz$/);
    const unconfirmed = run('restore.ts', join(elsewhere.path, 'nightly', file));
    expect(unconfirmed).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('add --yes'),
    });
    const restored = run('restore.ts', '--yes', join(elsewhere.path, 'nightly', file));
    expect(restored).toMatchObject({ status: 0, stderr: made.stderr });
    expect(existsSync(databasePath(folder.path))).toBe(true);
  });

  it('remove older backups only when confirmed', async () => {
    await (await openDatabase(embeddedStore(folder.path))).close();
    const nightly = join(elsewhere.path, 'nightly');
    mkdirSync(nightly);
    writeFileSync(join(nightly, 'skylark-2026-01-01T020000Z.sqlite'), '');
    const unconfirmed = run('backup.ts', `${nightly}/`, '--keep', '1');
    expect(unconfirmed).toMatchObject({ status: 1, stderr: expect.stringContaining('add --yes') });
    expect(readdirSync(nightly)).toHaveLength(2);
    const made = run('backup.ts', join(nightly, 'skylark-2026-01-02T020000Z.sqlite'), '--keep', '1', '--yes');
    expect(made).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('2 older backups have been removed'),
    });
  });

  it('read and write relative paths where the caller stands', async () => {
    await (await openDatabase(embeddedStore(folder.path))).close();
    expect(run('backup.ts', 'nightly/').status).toBe(0);
    expect(run('backup.ts', './one.sqlite').status).toBe(0);
    expect(readdirSync(join(elsewhere.path, 'nightly'))).toHaveLength(1);
    const quiet = { status: 0, stderr: expect.stringMatching(/^Store: .+\n$/) };
    expect(run('restore.ts', 'one.sqlite', '--yes')).toMatchObject(quiet);
    expect(run('restore.ts', '--try', 'nightly')).toMatchObject({ status: 0, stderr: '' });
  });

  it('run pg_dump on PostgreSQL without its password among the arguments, and read the dump to test it', () => {
    const program = (name: string, script: string) =>
      writeFileSync(join(folder.path, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const database = 'postgresql://skylark:secret@127.0.0.1:1/skylark';
    variables = { ...variables, PATH: `${folder.path}:/bin:/usr/bin`, DATABASE_URL: database };
    program('pg_dump', 'echo "$@ $PGPASSWORD" >"$(echo "$2" | cut -c8-)"');
    program('pg_restore', 'exec cat "$2"');
    expect(run('backup.ts', 'nightly/')).toMatchObject({ status: 0 });
    const nightly = join(elsewhere.path, 'nightly');
    const [file = '', ...others] = readdirSync(nightly);
    expect([file.replace(/.*Z/, ''), others]).toEqual(['.dump', []]);
    expect(statSync(join(nightly, file)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(nightly, file), 'utf8')).toMatch(
      /^--format=custom --file=\S+ --dbname=postgresql:\/\/skylark@127\.0\.0\.1:1\/skylark secret\n$/,
    );
    expect(run('restore.ts', '--try', nightly)).toMatchObject({
      status: 0,
      stdout: `${join(nightly, file)} can be restored.\n`,
    });
    program('pg_dump', 'echo "server version mismatch" >&2; exit 1');
    expect(run('backup.ts', 'nightly/').stderr).toContain('server version mismatch');
    variables.PATH = elsewhere.path;
    expect(run('backup.ts', 'nightly/').stderr).toContain('pg_dump is not on PATH: install');
    expect(readdirSync(nightly)).toEqual([file]);
  });

  it.each(['backup.ts', 'restore.ts'])('print the usage of %s', (script) => {
    const result = run(script);
    expect(result.status).toBe(1);
    expect(result.stderr).toMatch(/^npm run (backup|restore) -- </);
  });
});
