import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

/* The recipe of CONTRIBUTING.md: the transfer time, declared in two files and added to the store. */

const FACT = { field: 'TransferTime', column: 'transfer_time', min: 0, max: 600, step: 1, what: 'minutes' };
const FILTER = {
  kind: 'atMost',
  field: 'maxTransferTime',
  facet: 'transferTimes',
  of: 'transferTime',
  legend: 'Transfer',
  any: 'Any transfer',
  max: 600,
  levels: [30, 60, 90],
  words: (most: string) => `Transfer of at most ${most} minutes`,
};

vi.mock('../../domain/hotel-facts.ts', async (original) => {
  const facts = await original<typeof import('../../domain/hotel-facts.ts')>();
  Object.assign(facts.HOTEL_FACTS, { transferTime: FACT });
  facts.HOTEL_FACT_ENTRIES.push(['transferTime', FACT] as never);
  return facts;
});
vi.mock('../../domain/filters.ts', async (original) => {
  const filters = await original<typeof import('../../domain/filters.ts')>();
  Object.assign(filters.FILTERS, { transfer: FILTER });
  filters.FILTER_ENTRIES.push(['transfer', FILTER] as never);
  return filters;
});

/** The modules with these declarations. Other files of this process get their own. */
beforeAll(() => void vi.resetModules());
afterAll(() => void vi.resetModules());

describe.each(STORE_KINDS)('A new fact about hotels, on %s', (kind) => {
  it('goes from the feed to the page, and is filtered, counted, linked and named', async () => {
    const { makeFeedSite, feedItem, ndjson, FEED_NOW } = await import('../fixtures/feed-site.ts');
    const { schema } = await import('../../server/package-search/graphql/schema.ts');
    const { packageSearch } = await import('../../server/package-search/fields/search-packages.ts');
    const { parseArguments } = await import('../../server/package-search/query/search-request.ts');
    const { openPackageRepository } = await import(
      '../../server/package-search/store/open-package-repository.ts'
    );
    const { readersOf } = await import('../fixtures/test-threads.ts');
    const { parsePackageSearchItem } = await import('../../domain/package-search-item.ts');
    const { SEARCH_WITH_FACETS_QUERY } = await import('../../domain/search-with-facets-query.ts');
    const { parseRefine, toRefinements } = await import('../../domain/refinements.ts');
    const { filterGroups, filterWords } = await import('../../web/results/filters/filter-groups.ts');
    const { parse, validate } = await import('graphql');

    const site = await makeFeedSite(kind);
    try {
      const type = kind === 'embedded' ? 'real' : 'double precision';
      await site.database().exec(`alter table hotel add column transfer_time ${type}`);
      const hotels = [
        { HotelIdentifierCode: 'NEAR', HotelName: 'Near', TransferTime: 20 },
        { HotelIdentifierCode: 'FAR', HotelName: 'Far', TransferTime: 240 },
        { HotelIdentifierCode: 'ANY', HotelName: 'Unknown' },
      ].map((hotel) => feedItem({ ...hotel, RoomTypeDescription: hotel.HotelName }));
      const { exit, out } = await site.run(['import', '-', '--provider', 'SUNW'], ndjson(hotels));
      expect(exit, out).toBe(0);

      const { refine } = parseRefine((name) => new URLSearchParams('transfer=60').getAll(name));
      expect(refine).toEqual({ transfer: ['60'] });
      expect(validate(schema, parse(SEARCH_WITH_FACETS_QUERY))).toEqual([]);
      expect(SEARCH_WITH_FACETS_QUERY).toContain('transferTimes { from count }');

      const repository = await openPackageRepository(site.address, readersOf(site.address));
      try {
        const search = packageSearch({
          repository,
          brandCode: 'SKY',
          collapse: 'hotel',
          tokenKey: Buffer.from('a key'),
          now: () => FEED_NOW,
        });
        const filters = {
          brand: 'SKY',
          startDate: '2027-06-12',
          endDate: '2027-06-19',
          departureAirports: ['LGW'],
          duration: 7,
          country: 'Spain',
        };
        const request = parseArguments('searchPackages', { filters, refine: toRefinements(refine) });
        const found = await search(request, undefined, true);
        if (found.kind !== 'response') throw new Error(found.kind);
        const items = found.items.map((text) => parsePackageSearchItem(JSON.parse(text)));
        expect(items).toMatchObject([
          { kind: 'item', item: { Hotel: { HotelName: 'Near', TransferTime: 20 } } },
        ]);
        expect(found.facets).toMatchObject({ transferTimes: [{ from: 90 }, { from: 60 }, { from: 30 }] });

        const names = { airports: [], providers: {} };
        const group = filterGroups(found.facets, refine, names).find(({ key }) => `${key}` === 'transfer');
        expect(group).toMatchObject({ legend: 'Transfer', any: 'Any transfer' });
        expect(filterWords('transfer' as never, '60', names)).toBe('Transfer of at most 60 minutes');
      } finally {
        await repository.close();
      }
    } finally {
      await site.close();
    }
  });
});
