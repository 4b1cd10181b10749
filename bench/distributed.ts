import { loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { addDays, todayInLondon } from '../domain/calendar-date.ts';
import { commandLine } from '../server/lib/command-line.ts';
import { packageSearch } from '../server/package-search/fields/search-packages.ts';
import { parseArguments } from '../server/package-search/query/search-request.ts';
import { openPackageRepository } from '../server/package-search/store/open-package-repository.ts';
import { HAS_CITUS } from '../server/storage/citus/settings.ts';
import { openDatabase } from '../server/storage/open/database.ts';
import type { SqlDatabase } from '../server/storage/sql-database.ts';
import { embeddedStore, type StoreAddress } from '../server/storage/store-address.ts';
import { makeCitusDatabase, startCitus } from '../tests/fixtures/citus.ts';
import { startPostgres } from '../tests/fixtures/postgres.ts';
import { readersOf } from '../tests/fixtures/test-threads.ts';
import { importFeed, providerFolder, writeMadeUpFeed } from './feed/import-feed.ts';
import { addGeneratedWatches } from './support/generate-watches.ts';

const STORES = 'embedded,postgresql,citus-1,citus-2';
const { words } = commandLine(
  `npm run bench:distributed -- [millions of packages, default 1] [stores, default ${STORES}]
  imports into each store and searches it; skips Citus without CITUS_ARCHIVE`,
  { maxWords: 2 },
);
const packages = Math.round(Number(words[0] ?? '1') * 1e6);
if (!Number.isFinite(packages) || packages <= 0)
  throw new Error('Give the millions of packages, such as 1 or 10');

const stores = (words[1] ?? STORES).split(',');

/**
 * The settings that docs/postgresql.md recommends for nodes with 2 GB. The tests' settings suit many small
 * databases.
 */
const SERVER_SETTINGS = `
shared_buffers = 512MB
max_wal_size = 8GB
`;

const KEY = 'a'.repeat(64);
const SEARCHES = 300;
const WATCHES = 1_000_000;
const today = todayInLondon(Date.now());
const folder = providerFolder();

const first = await writeMadeUpFeed(folder.path, 'first', { packages, today });
const changed = await writeMadeUpFeed(folder.path, 'changed', { packages, today, factor: 1.02 });
console.log(`${packages} packages; load of the machine at the start ${loadavg()[0]?.toFixed(1)}`);

if (stores.includes('embedded')) await measure('embedded', embeddedStore(folder.path));
if (stores.includes('postgresql')) {
  const postgres = await startPostgres(undefined, SERVER_SETTINGS);
  await measure('PostgreSQL', { kind: 'postgresql', url: postgres.urlOf('postgres'), readUrls: [] });
  await postgres.remove();
}
for (const workers of [1, 2]) {
  if (!stores.includes(`citus-${workers}`)) continue;
  const citus = await startCitus(workers, SERVER_SETTINGS);
  if (citus.kind === 'left out') {
    console.log(`Citus: left out, because ${citus.reason}`);
    break;
  }
  const url = await makeCitusDatabase(citus.cluster.coordinator.urlOf('postgres'), 'bench');
  await measure(`Citus, workers: ${workers}`, { kind: 'postgresql', url, readUrls: [] });
  await citus.cluster.remove();
}
folder.remove();

async function measure(name: string, store: StoreAddress): Promise<void> {
  run(`${name}: new`, store, first);
  const database = await openDatabase(store);
  await printSizes(name, database);
  run(`${name}: unchanged`, store, first);
  await nextMinute();
  run(`${name}: every price changed`, store, changed);
  await addGeneratedWatches(database, WATCHES);
  // In production, autovacuum would already have analysed the watches.
  if (database.engine === 'postgresql') await database.exec('vacuum analyze');
  await database.close();
  await nextMinute();
  run(`${name}: every price changed with ${WATCHES} watches`, store, first);
  await searchStore(name, store);
}

/** Waits for the next minute, because a second price in one minute would be written as a correction. */
async function nextMinute(): Promise<void> {
  await setTimeout(60_000 - (Date.now() % 60_000) + 100);
}

/** Prints the bytes per package, including indexes. */
async function printSizes(name: string, database: SqlDatabase): Promise<void> {
  if (database.engine === 'sqlite') return;
  const [tableSize, totalSize] =
    (await database.prepare(HAS_CITUS).row()) !== undefined
      ? ['citus_table_size', 'citus_total_relation_size']
      : ['pg_table_size', 'pg_total_relation_size'];
  const sizes = await Promise.all(
    ['offer', 'price_observation', 'price_block'].map(async (table) => {
      const sql = `select ${tableSize}('${table}'), ${totalSize}('${table}'), (select count(*) from ${table})`;
      const [rows = 0, total = 0, count = 1] = ((await database.prepare(sql).row()) ?? []).map(Number);
      return `${table} ${(rows / packages).toFixed(1)} + ${((total - rows) / packages).toFixed(1)} (${count} rows)`;
    }),
  );
  console.log(`${name}: bytes a package, rows + indexes: ${sizes.join(', ')}`);
}

function run(what: string, store: StoreAddress, path: string): void {
  const settings =
    store.kind === 'embedded' ? {} : { DATABASE_URL: store.url, TOKEN_KEY: KEY, ALERTS_KEY: KEY };
  const { seconds, read, compared, written, peakMegabytes } = importFeed(folder.path, [path], settings);
  const inStore = compared + written;
  console.log(
    `${what}: ${Math.round(packages / seconds)} a second with reading, ${Math.round(packages / inStore)} without; read ${read} s, compared ${compared} s, written ${written} s, peak ${peakMegabytes} MB, load ${loadavg()[0]?.toFixed(1)}`,
  );
}

async function searchStore(name: string, store: StoreAddress): Promise<void> {
  const repository = await openPackageRepository(store, readersOf(store));
  const search = packageSearch({
    repository,
    brandCode: 'SKY',
    collapse: 'hotel',
    tokenKey: Buffer.from(KEY),
    now: Date.now,
  });
  const times: number[] = [];
  for (let nth = 0; nth < SEARCHES; nth += 1) {
    const startDate = addDays(today, 30 + ((nth * 7) % 300));
    const filters = {
      brand: 'SKY',
      startDate,
      endDate: addDays(startDate, 7 + (nth % 3) * 7),
      departureAirports: ['LGW', 'MAN'],
      duration: 7,
      country: ['Spain', 'Greece', 'Turkey'][nth % 3] ?? '',
    };
    const from = performance.now();
    await search(parseArguments('searchPackages', { filters, limit: 20 }));
    times.push(performance.now() - from);
  }
  await repository.close();
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => (sorted[Math.floor(share * (SEARCHES - 1))] ?? 0).toFixed(1);
  console.log(
    `${name}: ${SEARCHES} searches, median ${at(0.5)} ms, 95% ${at(0.95)} ms, load ${loadavg()[0]?.toFixed(1)}`,
  );
}
