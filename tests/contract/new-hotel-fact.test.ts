import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

/* The recipe of CONTRIBUTING.md: the distance to the sea, declared in two files and added to the store. */

const FACT = { field: 'SeaDistance', column: 'sea_distance', min: 0, max: 50, step: 0, what: 'kilometres' };
const FILTER = {
  kind: 'atMost',
  field: 'maxSeaDistance',
  facet: 'seaDistances',
  of: 'seaDistance',
  legend: 'Distance to the sea',
  any: 'Any distance',
  max: 50,
  levels: [0.5, 1, 2],
  words: (most: string) => `At most ${most} km to the sea`,
};

vi.mock('../../domain/hotel-facts.ts', async (original) => {
  const facts = await original<typeof import('../../domain/hotel-facts.ts')>();
  Object.assign(facts.HOTEL_FACTS, { seaDistance: FACT });
  facts.HOTEL_FACT_ENTRIES.push(['seaDistance', FACT] as never);
  return facts;
});
vi.mock('../../domain/filters.ts', async (original) => {
  const filters = await original<typeof import('../../domain/filters.ts')>();
  Object.assign(filters.FILTERS, { sea: FILTER });
  filters.FILTER_ENTRIES.push(['sea', FILTER] as never);
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
      await site.database().exec(`alter table hotel add column sea_distance ${type}`);
      const hotels = [
        { HotelIdentifierCode: 'NEAR', HotelName: 'Near', SeaDistance: 0.3 },
        { HotelIdentifierCode: 'FAR', HotelName: 'Far', SeaDistance: 4 },
        { HotelIdentifierCode: 'ANY', HotelName: 'Unknown' },
      ].map((hotel) => feedItem({ ...hotel, RoomTypeDescription: hotel.HotelName }));
      const { exit, out } = await site.run(['import', '-', '--provider', 'SUNW'], ndjson(hotels));
      expect(exit, out).toBe(0);

      const { refine } = parseRefine((name) => new URLSearchParams('sea=1').getAll(name));
      expect(refine).toEqual({ sea: ['1'] });
      expect(validate(schema, parse(SEARCH_WITH_FACETS_QUERY))).toEqual([]);
      expect(SEARCH_WITH_FACETS_QUERY).toContain('seaDistances { from count }');

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
          { kind: 'item', item: { Hotel: { HotelName: 'Near', SeaDistance: 0.3 } } },
        ]);
        expect(found.facets).toMatchObject({ seaDistances: [{ from: 2 }, { from: 1 }, { from: 0.5 }] });

        const names = { airports: [], providers: {} };
        const group = filterGroups(found.facets, refine, names).find(({ key }) => `${key}` === 'sea');
        expect(group).toMatchObject({ legend: 'Distance to the sea', any: 'Any distance' });
        expect(filterWords('sea' as never, '1', names)).toBe('At most 1 km to the sea');
      } finally {
        await repository.close();
      }
    } finally {
      await site.close();
    }
  });
});
