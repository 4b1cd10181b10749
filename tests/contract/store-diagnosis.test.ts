import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { alertKeys } from '../../server/alerts/keys/alert-keys.ts';
import { openAlertStore } from '../../server/alerts/tables/alert-store.ts';
import { tryToWrite } from '../../server/conditions/setup/data-folder.ts';
import { readStoreFacts } from '../../server/conditions/store-facts.ts';
import { diagnose } from '../../server/doctor/diagnose.ts';
import { writeLastImport } from '../../server/feed/write/store-notes.ts';
import { openInventoryWriter } from '../../server/ingest/open-inventory-writer.ts';
import { tokenKey } from '../../server/package-search/tokens/token-key.ts';
import { openDatabase, openDatabaseForReading } from '../../server/storage/open/database.ts';
import { NOW, REFERENCE, smallOffers } from '../fixtures/small-inventory.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../fixtures/test-stores.ts';

const KEY = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';
const LAST = { format: 'items-json', packages: 7, added: 7, changed: 0, removed: 0, refused: 2 };

let store: TestStore;
afterEach(() => store.remove());

async function stock(): Promise<void> {
  const writer = await openInventoryWriter(store.address);
  await writer.replaceReference(REFERENCE);
  await writer.writeOffers(smallOffers());
  await writer.close();
  const database = await openDatabase(store.address);
  await writeLastImport(database, 'SUN', { at: new Date(NOW).toISOString(), ...LAST });
  await database.close();
}

/** The doctor's findings, with their levels. */
async function findings(variables: Record<string, string>): Promise<string[]> {
  const page = join(store.folder, 'page');
  mkdirSync(page, { recursive: true });
  writeFileSync(join(page, 'index.html'), '');
  const found = await diagnose({
    variables: { PORT: '0', SAMPLE_INVENTORY: 'off', DATA_DIR: store.folder, ...variables },
    nodeVersion: '24.21.0',
    folders: { page, lists: join(import.meta.dirname, '../../assets') },
    now: NOW,
    freeBytes: () => 50e9,
    tryToWrite,
    reach: async () => 404,

    logInTo: async () => null,
  });
  return found.map(({ level, summary: what }) => `${level} ${what}`);
}

describe.each(STORE_KINDS)('The %s store', (kind) => {
  beforeEach(async () => {
    store = await makeStore(kind);
    await stock();
  });

  it('reports its packages, size and imports to the metrics', async () => {
    const database = openDatabaseForReading(store.address);
    const facts = await readStoreFacts(database, store.address, { now: NOW, providers: null, feedLateMs: 0 });
    await database.close();
    expect(facts).toEqual({
      offers: smallOffers().length,
      lastDeparture: Math.max(...smallOffers().map(([day]) => day)),
      bytes: expect.any(Number),
      priceModels: null,
      accuracy: [],
      backups: { goodAt: null, failure: null },
      imports: [{ provider: 'SUN', last: { at: new Date(NOW).toISOString(), ...LAST } }],
      feeds: [expect.objectContaining({ provider: 'SUN', isListed: true, matchedAt: NOW, isEmpty: false })],
    });
    expect(facts.bytes).toBeGreaterThan(100_000);
  });

  it('is checked by the doctor, including the key of its alerts', async () => {
    const settings: Record<string, string> =
      store.address.kind === 'postgresql' ? { DATABASE_URL: store.address.url } : {};
    await (await openAlertStore(store.address, () => alertKeys(Buffer.from(KEY, 'hex')))).close();
    const well = await findings({ ...settings, ALERTS_KEY: KEY, TOKEN_KEY: 'sixteen characters and more' });
    expect(well.filter((line) => line.startsWith('bad'))).toEqual([]);
    expect(well.join('\n')).toMatch(/ok (The store is undamaged|PostgreSQL responds): schema \d/);
    expect(well.join('\n')).toContain('ok The feed of SUN was last imported at 2027-04-01');
    expect(well.join('\n')).toContain('ok The key of the price alerts matches the store.');
    const other = await findings({
      ...settings,
      ALERTS_KEY: KEY.replaceAll('0', '1'),
      TOKEN_KEY: 'x'.repeat(16),
    });
    expect(other.join('\n')).toContain('bad The key of the price alerts does not match the store.');
  });
});

describe('The doctor on PostgreSQL', () => {
  beforeEach(async () => {
    store = await makeStore('postgresql');
    await stock();
  });

  it.each([
    ['TOKEN_KEY', { ALERTS_KEY: KEY }],
    ['ALERTS_KEY', { TOKEN_KEY: 'x'.repeat(16) }],
  ])('reports that %s is missing', async (name, keys) => {
    if (store.address.kind !== 'postgresql') throw new Error('This is a PostgreSQL');
    for (const url of [store.address.url, 'postgresql://skylark@127.0.0.1:1/skylark']) {
      const found = await findings({ DATABASE_URL: url, ...keys });
      expect(found.join('\n')).toContain(`bad ${name} must be set: with DATABASE_URL, no server starts`);
    }
  });

  it('reports that the other servers use a different TOKEN_KEY, and does not change the store', async () => {
    if (store.address.kind !== 'postgresql') throw new Error('This is a PostgreSQL');
    const keys = (TOKEN_KEY: string) => ({
      DATABASE_URL: store.address.kind === 'postgresql' ? store.address.url : '',
      ALERTS_KEY: KEY,
      TOKEN_KEY,
    });
    const OURS = 'the same for every server';
    const OTHER = 'another of sixteen characters';
    // The doctor stores no key.
    for (const key of [OTHER, OURS])
      expect(await findings(keys(key))).toContain('ok TOKEN_KEY matches the store.');
    await tokenKey(OURS, store.address);
    expect(await findings(keys(OURS))).toContain('ok TOKEN_KEY matches the store.');
    expect((await findings(keys(OTHER))).join('\n')).toContain(
      'bad TOKEN_KEY differs from the one that other servers',
    );
  });

  it('checks the free disk space only if feeds are imported', async () => {
    if (store.address.kind !== 'postgresql') throw new Error('This is a PostgreSQL');
    const keys = { DATABASE_URL: store.address.url, ALERTS_KEY: KEY, TOKEN_KEY: 'x'.repeat(16) };
    const room = () => findings(keys).then((found) => found.filter((line) => line.includes('GB is free')));
    expect(await room()).toEqual([]);
    const sunward = { code: 'SUNW', name: 'Sunward', linkHosts: ['www.sunward.example'] };
    writeFileSync(join(store.folder, 'providers.json'), JSON.stringify({ providers: [sunward] }));
    expect(await room()).toEqual([`ok 50.0 GB is free for ${store.folder}.`]);
  });

  it('reports a server that does not respond, without its password', async () => {
    const url = 'postgresql://skylark:hush-hush@127.0.0.1:1/skylark';
    const found = (await findings({ DATABASE_URL: url, ALERTS_KEY: KEY, TOKEN_KEY: 'x'.repeat(16) })).join(
      '\n',
    );
    expect(found).toContain('bad PostgreSQL at DATABASE_URL does not respond');
    expect(found).not.toContain('hush-hush');
  });

  it('warns of a replica that does not respond', async () => {
    if (store.address.kind !== 'postgresql') throw new Error('This is a PostgreSQL');
    const found = await findings({
      DATABASE_URL: store.address.url,
      DATABASE_READ_URLS: 'postgresql://skylark:hush-hush@127.0.0.1:1/skylark',
      ALERTS_KEY: KEY,
      TOKEN_KEY: 'x'.repeat(16),
    });
    expect(found.join('\n')).toContain(
      'warn Replica 1 of DATABASE_READ_URLS is not used: it does not respond',
    );
    expect(found.join('\n')).not.toContain('hush-hush');
    expect(found.filter((line) => line.startsWith('bad'))).toEqual([]);
  });
});
