import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SORT_OPTIONS } from '../../domain/sort-by.ts';
import { cheapestDates } from '../../server/package-search/fields/cheapest-dates.ts';
import { explore } from '../../server/package-search/fields/explore.ts';
import { priceCalendar } from '../../server/package-search/fields/price-calendar.ts';
import { packageSearch } from '../../server/package-search/fields/search-packages.ts';
import type { Collapse } from '../../server/package-search/query/package-repository.ts';
import { parseArguments } from '../../server/package-search/query/search-request.ts';
import { openPackageRepository } from '../../server/package-search/store/open-package-repository.ts';
import { FEED_NOW, type FeedSite, feedItem, makeFeedSite, ndjson } from '../fixtures/feed-site.ts';
import { importInProcess } from '../fixtures/import-process.ts';
import { SHARED_STORE_KINDS } from '../fixtures/shared-store-kinds.ts';
import { readersOf } from '../fixtures/test-threads.ts';

const CODES = ['SUNW', 'BAYS'] as const;
type Code = (typeof CODES)[number];

const PROVIDERS = {
  providers: CODES.map((code) => ({ code, name: code, linkHosts: [`www.${code.toLowerCase()}.example`] })),
};

const PLACES = [
  { HolidayRegion: 'Costa Blanca', HolidayResort: 'Benidorm' },
  { HolidayRegion: 'Costa Blanca', HolidayResort: 'Albir' },
  { HolidayRegion: 'Majorca', HolidayResort: 'Alcudia' },
];

const AIRPORTS = ['STN', 'LGW', 'MAN'];
const BOARDS = ['HB', 'AI', 'BB'];

/**
 * Packages with few different prices, stars and days, so that many are equal. Both providers use the same
 * hotel codes.
 */
function feedOf(provider: Code): string {
  const items = Array.from({ length: 400 }, (_, nth) => {
    const hotel = (nth * 7) % 40;
    return feedItem({
      ...PLACES[hotel % PLACES.length],
      Brand: provider,
      TotalPrice: [499, 499, 599][(nth >> 3) % 3],
      StarRating: 3 + (hotel % 2),
      Latitude: 38 + ((hotel * 137) % 1_000) / 1_000,
      Longitude: -((hotel * 373) % 1_000) / 1_000,
      HotelName: `Hotel ${hotel}`,
      HotelIdentifierCode: `H${(hotel * 11) % 40}`,
      DepartureDate: `2027-06-${12 + ((nth >> 2) % 9)}`,
      Duration: nth % 5 === 0 ? 10 : 7,
      BoardBasis: BOARDS[(nth >> 4) % BOARDS.length],
      DepartureAirportCode_Outbound: AIRPORTS[(nth >> 5) % AIRPORTS.length],
      RoomTypeDescription: `Room ${(nth * 5) % 7}`,
      DeeplinkUrl: `https://www.${provider.toLowerCase()}.example/${nth}`,
    });
  });
  return ndjson(provider === 'SUNW' ? items : items.toReversed());
}

const TRIP = {
  brand: 'SKY',
  startDate: '2027-06-12',
  departureAirports: AIRPORTS,
  country: 'Spain',
  numberOfAdults: 2,
};

const FILTERS = [
  { ...TRIP, endDate: '2027-06-19', duration: 7 },
  { ...TRIP, endDate: '2027-06-24' },
  { ...TRIP, endDate: '2027-07-30' },
  { ...TRIP, endDate: '2027-07-30', boardBasis: 'AI' },
  { ...TRIP, endDate: '2027-09-30', region: 'Costa Blanca', resort: 'Albir' },
];

/** Packages per page: few, so that most pages end between equal packages. */
const PAGE: Record<Collapse, number> = { hotel: 7, none: 60 };

/**
 * Everything about packages that a visitor can read. Excludes page tokens, which contain the store's version.
 */
async function answersOf(site: FeedSite): Promise<string[]> {
  const repository = await openPackageRepository(site.address, readersOf(site.address));
  const options = { repository, brandCode: 'SKY', tokenKey: new Uint8Array(32), now: () => FEED_NOW };

  async function everyPage(filters: object, sortBy: string, collapse: Collapse): Promise<string> {
    const search = packageSearch({ ...options, collapse });
    const items: string[] = [];
    let nextToken: string | null = null;
    do {
      const answer = await search(
        parseArguments('searchPackages', { filters, sortBy, limit: PAGE[collapse], nextToken }),
      );
      if (answer.kind !== 'response') throw new Error(answer.message);
      items.push(...answer.items);
      nextToken = answer.nextToken;
      if (nextToken === null) expect(items).toHaveLength(answer.count);
    } while (nextToken !== null);
    return items.join('\n');
  }

  const answers: string[] = [];
  for (const filters of FILTERS) {
    for (const { packageSort } of SORT_OPTIONS) {
      for (const collapse of ['hotel', 'none'] as const) {
        answers.push(await everyPage(filters, packageSort, collapse));
      }
    }
    answers.push(JSON.stringify(await cheapestDates(options)(parseArguments('cheapestDates', { filters }))));
    answers.push(JSON.stringify(await priceCalendar(options)(parseArguments('priceCalendar', { filters }))));
    for (const level of ['COUNTRY', 'REGION', 'RESORT']) {
      answers.push(JSON.stringify(await explore(options)(parseArguments('explore', { filters, level }))));
    }
  }
  await repository.close();
  return answers;
}

describe('Search results', () => {
  let inOrder: FeedSite;
  let expected: string[];
  beforeAll(async () => {
    inOrder = await makeFeedSite('embedded', PROVIDERS);
    for (const code of CODES)
      await inOrder.run(['import', '-', '--provider', code, '--accept'], feedOf(code));
    expected = await answersOf(inOrder);
    expect(expected[0]?.split('\n').length).toBeGreaterThan(20);
  });
  afterAll(() => inOrder.close());

  it('do not depend on which provider was imported first', async () => {
    const reversed = await makeFeedSite('embedded', PROVIDERS);
    for (const code of CODES.toReversed()) {
      await reversed.run(['import', '-', '--provider', code, '--accept'], feedOf(code));
    }
    const order = 'select hotel.code, provider.code from hotel join provider on provider.id = provider';
    expect(await reversed.ask(`${order} order by hotel.id`)).not.toEqual(
      await inOrder.ask(`${order} order by hotel.id`),
    );
    expect(await answersOf(reversed)).toEqual(expected);
    await reversed.close();
  });

  it.each(SHARED_STORE_KINDS)(
    'are the same for a %s store into which both were imported at the same time',
    async (kind) => {
      const site = await makeFeedSite(kind, PROVIDERS);
      const importing = CODES.map((provider) =>
        importInProcess({
          store: site.address,
          dataDir: site.folder,
          lists: join(import.meta.dirname, '../../assets'),
          providers: PROVIDERS,
          provider,
          feeds: [feedOf(provider)],
          imports: 1,
          now: FEED_NOW,
        }),
      );
      await Promise.all(importing);
      expect(await answersOf(site)).toEqual(expected);
      await site.close();
    },
    240_000,
  );
});
