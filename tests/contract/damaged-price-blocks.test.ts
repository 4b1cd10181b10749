import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';
import { checkStoreFile } from '../../server/backup/check-store-file.ts';
import { tryToWrite } from '../../server/conditions/setup/data-folder.ts';
import { diagnose } from '../../server/doctor/diagnose.ts';
import { rebuildPriceBlocks } from '../../server/inventory/tables/rebuild-price-blocks.ts';
import { renewOffersVersion } from '../../server/inventory/tables/reference-tables.ts';
import { databasePath, openDatabase } from '../../server/storage/open/database.ts';
import type { SqlDatabase } from '../../server/storage/sql-database.ts';
import { API_KEY, openSmallApp, type SmallApp } from '../fixtures/small-app.ts';
import { NOW } from '../fixtures/small-inventory.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../fixtures/test-stores.ts';
import { FILTERS } from './suites/search-http.ts';

/** These bytes claim to have two hundred million entries. */
const IMPOSSIBLE = Buffer.from('01000000008084af5f00', 'hex');

describe.each(STORE_KINDS)('A search that meets a damaged price block, %s store', (kind) => {
  const lines: string[] = [];
  let store: TestStore;
  let small: SmallApp;
  let database: SqlDatabase;
  beforeAll(async () => {
    store = await makeStore(kind);
    small = await openSmallApp({ store, collapse: 'hotel', onLog: (line) => lines.push(line) });
    database = await openDatabase(store.address);
  });
  afterAll(async () => {
    await database.close();
    await small.close();
  });

  const ask = (query: string, filters: object) =>
    small.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'x-api-key': API_KEY },
      payload: { query, variables: { filters } },
    });

  it.each([
    ['cells', 'of weeks', '2027-05-12', SEARCH_PACKAGES_QUERY],
    [
      'cells',
      'of prices by day',
      '2027-05-12',
      'query ($filters: PackageSearchFilters!) { priceCalendar(filters: $filters) { TotalPrice } }',
    ],
    ['hotels', 'of months', '2027-06-30', SEARCH_PACKAGES_QUERY],
  ])('fails immediately and names the block: %s, a search %s', async (column, _, endDate, query) => {
    const filters = { ...FILTERS, startDate: '2027-05-01', endDate };
    expect((await ask(query, filters)).statusCode).toBe(200);
    await database.prepare(`update price_block set ${column} = ?`).run(IMPOSSIBLE);
    // No cached answer is older than the damage.
    await renewOffersVersion(database);
    const from = performance.now();
    const response = await ask(query, filters);
    expect(performance.now() - from).toBeLessThan(2_000);
    expect(response.statusCode).toBe(500);
    expect(response.json()).toEqual({
      error: 'Something went wrong here. Please try again.',
      code: 'INTERNAL',
    });
    expect(lines.join('')).toMatch(
      new RegExp(
        `The ${column} of the price_block with party \\d+, nights \\d+, month 688, .* resort \\d+ are damaged\\. Run npm run prices:rebuild`,
      ),
    );

    await rebuildPriceBlocks(database, () => {});
    expect((await ask(query, filters)).statusCode).toBe(200);
    lines.length = 0;
  });
});

it("prices:rebuild rebuilds the embedded store's index for searches over months", async () => {
  const store = await makeStore('embedded');
  const lines: string[] = [];
  const small = await openSmallApp({ store, collapse: 'hotel', onLog: (line) => lines.push(line) });
  const filters = { ...FILTERS, startDate: '2027-05-01', endDate: '2027-06-30' };
  const status = async () => {
    const { statusCode } = await small.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'x-api-key': API_KEY },
      payload: { query: SEARCH_PACKAGES_QUERY, variables: { filters } },
    });
    return statusCode;
  };
  expect(await status()).toBe(200);
  const file = databasePath(store.folder);
  // Makes the index differ from its table, with impossible hotels.
  const disk = new DatabaseSync(file, { defensive: false });
  const { sql } = disk.prepare("select sql from sqlite_schema where name = 'price_block_prices'").get() ?? {};
  const other = String(sql).replace('hotels)', `(x'${IMPOSSIBLE.toString('hex')}'))`);
  disk.exec(`drop index price_block_prices; ${other}; pragma writable_schema = on`);
  disk.prepare("update sqlite_schema set sql = ? where name = 'price_block_prices'").run(String(sql));
  // Makes other connections read the schema again.
  const { schema_version: version } = disk.prepare('pragma schema_version').get() ?? {};
  disk.exec(`pragma schema_version = ${Number(version) + 1}`);
  disk.close();

  const found = await diagnose({
    variables: { PORT: '0', SAMPLE_INVENTORY: 'off', DATA_DIR: store.folder },
    nodeVersion: '24.21.0',
    folders: { page: small.page, lists: join(import.meta.dirname, '../../assets') },
    now: NOW,
    freeBytes: () => 50e9,
    tryToWrite,
    reach: async () => 404,
    logInTo: async () => null,
  });
  expect(found).toContainEqual(
    expect.objectContaining({
      level: 'bad',
      summary: expect.stringMatching(/it is damaged: row \d+ missing from index price_block_prices\.$/),
      remedy: expect.stringContaining('npm run prices:rebuild'),
    }),
  );
  const database = await openDatabase(store.address);
  await renewOffersVersion(database);
  expect(await status()).toBe(500);
  expect(lines.join('')).toContain('The hotels of the price_block with party');
  let mended = 0;
  await rebuildPriceBlocks(
    database,
    () => {},
    () => {
      mended += 1;
    },
  );
  await database.close();
  expect(mended).toBe(1);
  expect(await status()).toBe(200);
  expect((await checkStoreFile(file)).kind).toBe('whole');
  await small.close();
});
