import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findingsOf } from '../../server/conditions/condition.ts';
import { RECORDS_MISSING } from '../../server/conditions/setup/contents-wrong.ts';
import { OFFER_COLUMNS, PRICE_SINCE } from '../../server/inventory/offer-columns.ts';
import { writeReferenceTables } from '../../server/inventory/tables/reference-tables.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import type { SqlDatabase } from '../../server/storage/sql-database.ts';
import { ALL_STORE_KINDS } from '../fixtures/shared-store-kinds.ts';
import { FIRST_DAY, REFERENCE, smallOffers } from '../fixtures/small-inventory.ts';
import { makeStore, type TestStore } from '../fixtures/test-stores.ts';

const NOW = FIRST_DAY * 86_400_000;

for (const kind of ALL_STORE_KINDS) {
  describe(`The doctor, in the ${kind} store,`, () => {
    let store: TestStore;
    let database: SqlDatabase;
    beforeAll(async () => {
      store = await makeStore(kind);
      database = await openDatabase(store.address);
    });
    afterAll(async () => {
      await database.close();
      await store.remove();
    });

    it('reports nothing about a store without packages', async () => {
      expect(await findingsOf([RECORDS_MISSING], { database, now: NOW })).toEqual([]);
    });

    it('finds packages whose hotel, room, resort or flight is missing, and names the feeds to import', async () => {
      await writeReferenceTables(database, REFERENCE);
      const rows = smallOffers().map((row) => [...row, 0]);
      await database.addRows('offer', [...OFFER_COLUMNS, PRICE_SINCE], rows);
      expect(await findingsOf([RECORDS_MISSING], { database, now: NOW })).toMatchObject([
        { level: 'ok', remedy: null },
      ]);
      const counted = async (condition: string) =>
        Object.fromEntries(
          await database
            .prepare(`select provider, count(*) from offer where ${condition} group by provider order by 1`)
            .rows(),
        ) as Record<number, number>;
      for (const [table, id, condition] of [
        ['hotel', 8, 'hotel = 8'],
        ['room', 2, 'hotel = 8 or room = 2'],
        ['flight', 4, 'hotel = 8 or room = 2 or inbound_flight = 4'],
        ['resort', 1, 'hotel = 8 or room = 2 or inbound_flight = 4 or resort = 1'],
      ] as const) {
        await database.prepare(`delete from ${table} where id = ?`).run(id);
        const { 1: ofSunward, 2: ofBlueBay } = await counted(condition);
        const [found, ...more] = await findingsOf([RECORDS_MISSING], { database, now: NOW });
        expect(more).toEqual([]);
        expect(found?.level).toBe('bad');
        expect(found?.summary).toContain(`SUN: ${ofSunward}`);
        expect(found?.summary).toContain(`BLU: ${ofBlueBay}`);
        expect(found?.remedy).toMatch(/^Import the feeds of these providers again: (SUN, BLU|BLU, SUN)\.$/);
      }
    });
  });
}
