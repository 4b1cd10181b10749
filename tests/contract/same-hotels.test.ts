import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageSearch } from '../../server/package-search/fields/search-packages.ts';
import type { Collapse } from '../../server/package-search/query/package-repository.ts';
import { parseArguments } from '../../server/package-search/query/search-request.ts';
import {
  type OpenPackageRepository,
  openPackageRepository,
} from '../../server/package-search/store/open-package-repository.ts';
import { FEED_NOW, type FeedSite, feedItem, makeFeedSite, ndjson } from '../fixtures/feed-site.ts';
import { ALL_STORE_KINDS } from '../fixtures/shared-store-kinds.ts';
import { readersOf } from '../fixtures/test-threads.ts';

const provider = (code: string) => ({ code, name: code, linkHosts: ['www.sunward.example'] });

/** A package of 'Flamingo Oasis', under each provider's own code and name. */
const oasis = (code: string, price: number, date = '2027-06-12', latitude = 38.5341) =>
  feedItem({
    Brand: code,
    HotelName: code === 'ONE' ? 'Hotel Flamingo Oasis' : 'Flamingo Oasis, Benidorm',
    HotelIdentifierCode: `OASIS-${code}`,
    TotalPrice: price,
    DepartureDate: date,
    Latitude: latitude,
    Longitude: -0.1312,
  });
const luna = feedItem({
  ...oasis('ONE', 950, '2027-06-13'),
  HotelName: 'Flamingo Beach',
  HotelIdentifierCode: 'BEACH',
});

describe.each(ALL_STORE_KINDS)('One hotel of two providers in the %s store', (kind) => {
  let site: FeedSite;
  let repository: OpenPackageRepository;
  beforeAll(async () => {
    site = await makeFeedSite(kind, { providers: ['ONE', 'TWO', 'SIX'].map(provider) });
    const feed = (code: string, ...items: unknown[]) =>
      site.run(['import', '-', '--provider', code, '--accept'], ndjson(items));
    await feed('ONE', oasis('ONE', 900), oasis('ONE', 990, '2027-06-20'), luna);
    await feed('TWO', oasis('TWO', 850), oasis('TWO', 1_000, '2027-06-13', 38.5342));
    await feed('SIX', oasis('SIX', 700, '2027-06-12', 38.545));
    repository = await openPackageRepository(site.address, readersOf(site.address));
  });
  afterAll(async () => {
    await repository.close();
    await site.close();
  });

  async function found(
    variables: { sortBy?: string; refine?: object; endDate?: string; limit?: number },
    { hasFacets = false, collapse = 'hotel' }: { hasFacets?: boolean; collapse?: Collapse } = {},
  ) {
    const search = packageSearch({
      repository,
      brandCode: 'SKY',
      collapse,
      tokenKey: new Uint8Array(32),
      now: () => FEED_NOW,
    });
    const { endDate = '2027-06-20', ...others } = variables;
    const filters = {
      brand: 'SKY',
      startDate: '2027-06-12',
      endDate,
      departureAirports: ['LGW'],
      duration: 7,
      country: 'Spain',
    };
    const codes: string[] = [];
    for (let nextToken: string | null = null; ; ) {
      const answer = await search(
        parseArguments('searchPackages', { filters, limit: 100, nextToken, ...others }),
        undefined,
        hasFacets,
      );
      if (answer.kind !== 'response') throw new Error(answer.message);
      codes.push(
        ...answer.items.map((item) => {
          const { HotelIdentifierCode, TotalPrice } = JSON.parse(item) as Record<string, string>;
          return `${HotelIdentifierCode} ${TotalPrice}`;
        }),
      );
      nextToken = answer.nextToken;
      if (nextToken === null) return { codes, count: answer.count, facets: answer.facets };
    }
  }

  it('is one card with its best package, in short and long windows and any order', async () => {
    for (const endDate of ['2027-06-20', '2027-07-20']) {
      const far = { endDate, limit: 1 };
      expect(await found(far)).toMatchObject({
        codes: ['OASIS-SIX 700', 'OASIS-TWO 850', 'BEACH 950'],
        count: 3,
      });
      const byDate = await found({ ...far, sortBy: 'DEPARTURE_DATE_ASC' });
      expect(byDate).toMatchObject({ codes: ['OASIS-SIX 700', 'OASIS-TWO 850', 'BEACH 950'], count: 3 });
      const byStars = await found({ ...far, sortBy: 'STAR_RATING_DESC' });
      expect(byStars.codes).toEqual(['OASIS-SIX 700', 'OASIS-TWO 850', 'BEACH 950']);
    }
    const last = await found({ endDate: '2027-07-20', sortBy: 'DEPARTURE_DATE_DESC' });
    expect(last.codes).toEqual(['OASIS-ONE 990', 'BEACH 950', 'OASIS-SIX 700']);
  });

  it('is counted once, and its card names the other provider with its price', async () => {
    const { codes, facets } = await found({}, { hasFacets: true });
    expect(codes).toEqual(['OASIS-SIX 700', 'OASIS-TWO 850', 'BEACH 950']);
    expect(facets).toMatchObject({
      otherPackages: [0, 2, 0],
      otherProviders: [[], [{ Brand: 'ONE', TotalPrice: 900 }], []],
      stars: expect.arrayContaining([{ from: 4, count: 3 }]),
    });
    const filtered = await found({ refine: { priceFrom: 860 } }, { hasFacets: true });
    expect(filtered.codes).toEqual(['OASIS-ONE 900', 'BEACH 950']);
    expect(filtered.facets?.otherProviders[0]).toEqual([{ Brand: 'TWO', TotalPrice: 1_000 }]);
  });

  it('has every provider’s packages under each of its codes, and without collapsing', async () => {
    const all = ['OASIS-TWO 850', 'OASIS-ONE 900', 'OASIS-TWO 1000'];
    for (const hotelCode of ['OASIS-ONE', 'OASIS-TWO'])
      expect((await found({ refine: { hotelCode } })).codes).toEqual(all);
    expect((await found({}, { collapse: 'none' })).count).toBe(5);
  });
});
