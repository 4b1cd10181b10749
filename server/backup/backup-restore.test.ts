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
const ignore = () => {};

/** A program that writes two notes with the same value, and many pages of data, until it is stopped. */
const WRITER = `
  import { DatabaseSync } from 'node:sqlite';
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
    const file = join(folder.path, 'backup.sqlite');
    let told = 0;
    const written = await backupStore(alerts.dataDir, file, AT, (done, of) => {
      told = done / of;
    });
    writer.kill('SIGKILL');
    expect(written).toMatchObject({ kind: 'written', file });
    expect(told).toBe(1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder.path)).toEqual(['backup.sqlite', 'backup.sqlite.sha256']);
    expect(statSync(`${file}.sha256`).mode & 0o777).toBe(0o600);
    const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
    expect(readFileSync(`${file}.sha256`, 'utf8')).toBe(`${sha256}  backup.sqlite\n`);

    const restored = await restoreStore(file, elsewhere.path, ignore);
    expect(restored).toMatchObject({ kind: 'restored', hasReplaced: false, isCompared: true });
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
    const file = join(folder.path, 'backup.sqlite');
    await backupStore(folder.path, file, AT, ignore);
    const other = await openDatabase(embeddedStore(elsewhere.path));
    await other.exec("insert into note (name, value) values ('mine', 'old')");
    await other.close();
    expect(await restoreStore(file, elsewhere.path, ignore)).toMatchObject({ hasReplaced: true });
    expect(await noteOf(elsewhere.path, 'mine')).toBe('undefined');
    expect(storeFiles()).toEqual(['inventory.sqlite']);
  });

  it('restores a backup that was renamed together with its checksum, or copied without it', async () => {
    await (await openDatabase(embeddedStore(folder.path))).close();
    const file = join(folder.path, 'backup.sqlite');
    await backupStore(folder.path, file, AT, ignore);
    const renamed = join(folder.path, 'monday.sqlite');
    renameSync(file, renamed);
    renameSync(`${file}.sha256`, `${renamed}.sha256`);
    expect(await restoreStore(renamed, elsewhere.path, ignore)).toMatchObject({ isCompared: true });
    rmSync(`${renamed}.sha256`);
    expect(await restoreStore(renamed, elsewhere.path, ignore)).toMatchObject({
      kind: 'restored',
      isCompared: false,
    });
  });

  it('replaces a checksum file whose backup is missing after a crash', async () => {
    await (await openDatabase(embeddedStore(folder.path))).close();
    const file = join(folder.path, 'backup.sqlite');
    writeFileSync(`${file}.sha256`, `${'0'.repeat(64)}  backup.sqlite\n`);
    expect(await backupStore(folder.path, file, AT, ignore)).toMatchObject({ kind: 'written' });
    expect(await restoreStore(file, elsewhere.path, ignore)).toMatchObject({ isCompared: true });
  });

  it('replaces a damaged store', async () => {
    await (await openDatabase(embeddedStore(folder.path))).close();
    const file = join(folder.path, 'backup.sqlite');
    await backupStore(folder.path, file, AT, ignore);
    writeFileSync(databasePath(elsewhere.path), 'not a database at all'.repeat(500));
    expect(await restoreStore(file, elsewhere.path, ignore)).toMatchObject({ kind: 'restored' });
    await (await openDatabase(embeddedStore(elsewhere.path))).close();
  });
});

describe('backupStore rejects', () => {
  it('a missing store, and a target file that exists', async () => {
    const nothing = await backupStore(elsewhere.path, join(folder.path, 'a'), AT, ignore);
    expect(nothing).toEqual({ kind: 'refused', message: expect.stringContaining('Check DATA_DIR.') });
    await (await openDatabase(embeddedStore(elsewhere.path))).close();
    writeFileSync(join(folder.path, 'a'), 'mine');
    const taken = await backupStore(elsewhere.path, join(folder.path, 'a'), AT, ignore);
    expect(taken).toEqual({ kind: 'refused', message: expect.stringContaining('already exists') });
    expect(readFileSync(join(folder.path, 'a'), 'utf8')).toBe('mine');
  });

  it('a target that cannot be written', async () => {
    await (await openDatabase(embeddedStore(elsewhere.path))).close();
    writeFileSync(join(folder.path, 'file'), '');
    const result = await backupStore(elsewhere.path, join(folder.path, 'file/backup'), AT, ignore);
    expect(result).toEqual({ kind: 'refused', message: expect.stringContaining('cannot be written') });
  });
});

describe('restoreStore leaves the store unchanged and refuses', () => {
  let backup: string;
  beforeEach(async () => {
    const source = await openDatabase(embeddedStore(folder.path));
    await source.exec("insert into note (name, value) values ('mine', 'new')");
    await source.close();
    backup = join(folder.path, 'backup.sqlite');
    await backupStore(folder.path, backup, AT, ignore);
    const mine = await openDatabase(embeddedStore(elsewhere.path));
    await mine.exec("insert into note (name, value) values ('mine', 'old')");
    await mine.close();
  });

  async function refusal(file: string): Promise<string> {
    const result = await restoreStore(file, elsewhere.path, ignore);
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
    const result = await restoreStore(backup, elsewhere.path, ignore);
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
        copyFileSync(backup, path);
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

  /** A copy of the backup with changed bytes, with or without a checksum file. */
  function damaged(change: (bytes: Buffer) => Buffer, hasChecksum: boolean): string {
    const path = join(folder.path, 'damaged.sqlite');
    writeFileSync(path, change(readFileSync(backup)));
    rmSync(`${path}.sha256`, { force: true });
    if (hasChecksum) copyFileSync(`${backup}.sha256`, `${path}.sha256`);
    return path;
  }

  it('a backup in which any bit has changed', async () => {
    const { size } = statSync(backup);
    const words = 'its bytes are not those of the backup';
    for (let nth = 0; nth < 40; nth += 1) {
      // Starts after the header, which states the size.
      const at = 100 + Math.floor(((size - 101) * nth) / 39);
      const path = damaged((bytes) => {
        bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (nth % 8)), at);
        return bytes;
      }, true);
      expect(await refusal(path)).toContain(words);
    }
  });

  it('a backup in which any page is empty', async () => {
    const pages = statSync(backup).size / 8_192;
    for (let page = 1; page < pages; page += Math.ceil(pages / 20)) {
      const path = damaged((bytes) => bytes.fill(0, page * 8_192, (page + 1) * 8_192), true);
      // If the page was already empty, nothing has changed.
      if (!readFileSync(path).equals(readFileSync(backup))) expect(await refusal(path)).toContain('Copy it');
    }
  });

  it.each([true, false])('a backup that is cut short; with its checksum: %s', async (hasChecksum) => {
    const { size } = statSync(backup);
    for (const bytes of [1, 100, 4_096, 8_192, size - 50]) {
      const path = damaged((whole) => whole.subarray(0, size - bytes), hasChecksum);
      expect(await refusal(path)).toContain(`cut short: it has ${size - bytes}`);
    }
    const longer = damaged((whole) => Buffer.concat([whole, Buffer.from('x')]), hasChecksum);
    expect(await refusal(longer)).toContain(`it has ${size + 1} bytes instead of ${size}`);
  });

  it('a backup in which an index lacks rows of its table', async () => {
    const path = join(folder.path, 'damaged.sqlite');
    copyFileSync(backup, path);
    const database = new DatabaseSync(path, { defensive: false });
    database.exec(`create table pair (one, other); create index pair_one on pair (one);
      insert into pair values (1, 2); pragma writable_schema = on;
      update sqlite_schema set sql = 'create index pair_one on pair (other)' where name = 'pair_one'`);
    database.close();
    expect(await refusal(path)).toContain('it is damaged: row 1 missing from index pair_one');
  });

  it('a backup whose checksum file has no checksum', async () => {
    writeFileSync(`${backup}.sha256`, '');
    expect(await refusal(backup)).toContain(`there is no SHA-256 in ${backup}.sha256`);
  });
});

describe('The backup and restore commands', () => {
  function run(script: string, ...args: string[]) {
    return spawnSync(process.execPath, [join(ROOT, 'server/cli', script), ...args], {
      env: { PATH: process.env.PATH, DATA_DIR: folder.path, INIT_CWD: elsewhere.path },
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
    const [file = '', checksum = ''] = readdirSync(join(elsewhere.path, 'nightly'));
    expect(checksum).toBe(`${file}.sha256`);
    expect(made.stdout).toContain(`${checksum} next to it`);
    expect(file).toMatch(/^skylark-\d{4}-\d\d-\d\dT\d{6}Z\.sqlite$/);
    const unconfirmed = run('restore.ts', join(elsewhere.path, 'nightly', file));
    expect(unconfirmed).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('add --yes'),
    });
    const restored = run('restore.ts', '--yes', join(elsewhere.path, 'nightly', file));
    expect(restored).toMatchObject({ status: 0, stderr: made.stderr });
    expect(restored.stdout).not.toContain('could not be compared');
    rmSync(join(elsewhere.path, 'nightly', checksum));
    expect(run('restore.ts', '--yes', join(elsewhere.path, 'nightly', file)).stdout).toContain(
      `There is no ${join(elsewhere.path, 'nightly', checksum)}, so only the backup's structure was checked`,
    );
    expect(existsSync(databasePath(folder.path))).toBe(true);
  });

  it('remove older backups only when confirmed', async () => {
    await (await openDatabase(embeddedStore(folder.path))).close();
    const nightly = join(elsewhere.path, 'nightly');
    mkdirSync(nightly);
    writeFileSync(join(nightly, 'skylark-2026-01-01T020000Z.sqlite'), '');
    const unconfirmed = run('backup.ts', `${nightly}/`, '--keep', '1');
    expect(unconfirmed).toMatchObject({ status: 1, stderr: expect.stringContaining('add --yes') });
    expect(readdirSync(nightly)).toHaveLength(3);
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
    expect(readdirSync(join(elsewhere.path, 'nightly'))).toHaveLength(2);
    const quiet = { status: 0, stderr: expect.stringMatching(/^Store: .+\n$/) };
    expect(run('restore.ts', 'one.sqlite', '--yes')).toMatchObject(quiet);
    expect(run('restore.ts', '--try', 'nightly')).toMatchObject({ status: 0, stderr: '' });
  });

  it.each(['backup.ts', 'restore.ts'])('print the usage of %s', (script) => {
    const result = run(script);
    expect(result.status).toBe(1);
    expect(result.stderr).toMatch(/^npm run (backup|restore) -- </);
  });
});
