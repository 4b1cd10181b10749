import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fromDayNumber } from '../../domain/calendar-date.ts';
import { HAS_CITUS } from '../../server/storage/citus/settings.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import type { SqlDatabase } from '../../server/storage/sql-database.ts';
import { FEED_NOW, feedItem, makeFeedSite, ndjson } from '../fixtures/feed-site.ts';
import { importInProcess } from '../fixtures/import-process.ts';
import { SHARED_STORE_KINDS } from '../fixtures/shared-store-kinds.ts';
import { FIRST_DAY } from '../fixtures/small-inventory.ts';

const PROVIDERS = { providers: [{ code: 'SUNW', name: 'Sunward', linkHosts: ['www.sunward.example'] }] };
const PACKAGES = 6_000;
const OF_A_DAY = 500;

/** A feed of the same packages at other prices. */
function feedAt(price: number): string {
  return ndjson(
    Array.from({ length: PACKAGES }, (_, nth) =>
      feedItem({
        TotalPrice: price,
        HotelName: `Hotel ${nth % OF_A_DAY}`,
        HotelIdentifierCode: `H${nth % OF_A_DAY}`,
        DepartureDate: fromDayNumber(FIRST_DAY + Math.floor(nth / OF_A_DAY)),
      }),
    ),
  );
}

/** The size of the packages' rows and of their index, in bytes. */
async function sizesOf(database: SqlDatabase): Promise<number[]> {
  const sizeOf = async (index: string) =>
    (await database.prepare(HAS_CITUS).row()) !== undefined
      ? `select sum(cast(result as bigint)) from run_command_on_shards('offer',
          $$ select pg_relation_size(${index.replace('offer', '%s')}) $$)`
      : `select pg_relation_size(${index})`;
  const table = `cast('offer' as regclass)`;
  return await Promise.all(
    [table, `(select indexrelid from pg_index where indisprimary and indrelid = ${table})`].map(
      async (relation) => Number((await database.prepare(await sizeOf(relation)).row())?.[0]),
    ),
  );
}

describe.each(SHARED_STORE_KINDS)('The %s store', (kind) => {
  it('does not grow when feeds change every price again and again', async () => {
    const site = await makeFeedSite(kind, PROVIDERS);
    const imports = (now: number, feeds: readonly string[]) =>
      importInProcess({
        store: site.address,
        dataDir: site.folder,
        lists: join(import.meta.dirname, '../../assets'),
        providers: PROVIDERS,
        provider: 'SUNW',
        feeds,
        imports: feeds.length,
        now,
      });
    await imports(FEED_NOW, [feedAt(500)]);
    const database = await openDatabase(site.address);
    const before = await sizesOf(database);
    await imports(FEED_NOW + 60_000, [510, 520, 530, 540].map(feedAt));
    const after = await sizesOf(database);
    await database.close();
    await site.close();
    for (const [nth, size] of after.entries()) expect(size).toBeLessThan((before[nth] ?? 0) * 1.1);
  }, 240_000);
});
