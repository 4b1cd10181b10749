import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { placesOf, readWatchedSearch } from '../../server/alerts/matching/watched-search.ts';
import { addSearch } from '../../server/alerts/tables/search-watches.ts';
import { type FeedSite, feedItem, makeFeedSite, ndjson } from '../fixtures/feed-site.ts';
import { ALL_STORE_KINDS } from '../fixtures/shared-store-kinds.ts';

const SEARCH = 'country=Spain&from=LGW&date=2027-06-12&nights=7';

describe.each(ALL_STORE_KINDS)('Watched searches during imports of feeds into the %s store', (kind) => {
  let site: FeedSite;
  beforeEach(async () => {
    site = await makeFeedSite(kind);
  });
  afterEach(() => site.close());

  const sunward = (items: readonly unknown[]) =>
    site.run(['import', '-', '--provider', 'SUNW', '--accept'], ndjson(items));
  const state = () => site.ask('select told, is_due from alert_search');

  /** Watches the search as from now. */
  async function watch(limit: number): Promise<void> {
    const database = site.database();
    const search = readWatchedSearch(SEARCH);
    if (search === null) throw new Error('The search is invalid');
    const now = 'values (?, ?, 0)';
    await database
      .prepare(`insert into alert_contact (contact_key, contact_sealed, created_at) ${now}`)
      .run('somebody', new Uint8Array(1));
    await database
      .prepare(`insert into alert_watch (contact, number, item_key, resort, nights, party, departure_day, airport, board,
          half_stars, departs_at, state, started, created_at)
        select id, 1, ?, '//', 7, '2-0-0', 20981, '', '', 0, 1812758400000, 'active', 0, 0 from alert_contact`)
      .run(`?${search.query}`);
    const id = Number((await site.ask('select id from alert_watch'))[0]?.[0]);
    await addSearch({ session: database, sql: database.sql }, id, { limit, booked: null }, placesOf(search));
    await database.sql.run`update alert_search set must_look = 1`;
  }

  it('finds a new package, a fall, and the removal of the best package', async () => {
    const dear = feedItem({ TotalPrice: 900 });
    const cheap = feedItem({ TotalPrice: 700, HotelIdentifierCode: 'LUNA', HotelName: 'Hotel Luna' });
    await sunward([dear]);
    await watch(75_000);
    await sunward([feedItem({ TotalPrice: 901 })]);
    expect(await state()).toEqual([[null, 0]]);
    await sunward([dear, cheap]);
    expect(await state()).toEqual([[null, 1]]);
    // As if the message had been sent.
    await site.database().sql.run`update alert_search set told = 70000, is_due = 0, must_look = 1`;
    await sunward([dear, { ...cheap, TotalPrice: 710 }]);
    expect(await state()).toEqual([[70_000, 0]]);
    await sunward([dear]);
    expect(await state()).toEqual([[null, 0]]);
    await sunward([{ ...dear, TotalPrice: 740 }]);
    expect(await state()).toEqual([[null, 1]]);
  });
});
