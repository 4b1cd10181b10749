import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatBriefWeekday, monthWords } from '../../domain/day-words.ts';
import { formatPounds } from '../../domain/money.ts';
import { PRICE_RECORD_PLACES, PRICE_RECORD_ROOT } from '../../server/inventory/inventory-notes.ts';
import { writeNote } from '../../server/storage/notes.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import { API_KEY, openSmallApp, type SmallApp } from '../fixtures/small-app.ts';
import { AIRPORT_CODES } from '../fixtures/small-inventory.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../fixtures/test-stores.ts';
import { FILTERS } from './suites/search-http.ts';

const CALENDAR = `query ($filters: PackageSearchFilters!) {
  priceCalendar(filters: $filters) { DepartureDate TotalPrice }
}`;

const SEARCH = `query ($filters: PackageSearchFilters!) {
  searchPackages(filters: $filters, limit: 10) { count items { Hotel TotalPrice } }
}`;

const WHOLE = {
  ...FILTERS,
  departureAirports: AIRPORT_CODES,
  startDate: '2027-04-20',
  endDate: '2027-06-20',
};

for (const kind of STORE_KINDS) {
  describe(`A place's page, ${kind}`, () => {
    let small: SmallApp;
    let store: TestStore;
    beforeAll(async () => {
      store = await makeStore(kind);
      small = await openSmallApp({ store, collapse: 'hotel' });
    });
    afterAll(() => small.close());

    const open = (url: string, headers = {}) => small.app.inject({ method: 'GET', url, headers });

    async function ask<Data>(query: string, filters: object): Promise<Data> {
      const response = await small.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'x-api-key': API_KEY },
        payload: { query, variables: { filters } },
      });
      return response.json<{ data: Data }>().data;
    }

    it.each([
      ['/holidays/spain', { country: 'Spain' }],
      ['/holidays/spain/costa-blanca', { country: 'Spain', region: 'Costa Blanca' }],
      ['/holidays/spain/islands/old-town', { country: 'Spain', region: 'Islands', resort: 'Old Town' }],
    ])('has the prices and hotels that the search finds: %s', async (path, place) => {
      const { statusCode, body } = await open(path);
      expect(statusCode).toBe(200);
      const { priceCalendar: days } = await ask<{
        priceCalendar: { DepartureDate: string; TotalPrice: number }[];
      }>(CALENDAR, { ...WHOLE, ...place });
      const lowest = days.reduce((one, other) => (other.TotalPrice < one.TotalPrice ? other : one));
      const { DepartureDate, TotalPrice } = lowest;
      expect(textOf(body)).toContain(
        `${monthWords(DepartureDate)} ${formatPounds(TotalPrice)} ${formatBriefWeekday(DepartureDate)}`,
      );
      const byDay = textOf((await open(`${path}/2027-05`)).body);
      for (const day of days)
        expect(byDay).toContain(`${formatBriefWeekday(day.DepartureDate)} ${formatPounds(day.TotalPrice)}`);

      const around = Date.parse(DepartureDate);
      const onDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);
      const window = {
        startDate: onDay(around - 86_400_000),
        lastDeparture: onDay(around + 86_400_000),
        endDate: onDay(around + 8 * 86_400_000),
      };
      const { searchPackages } = await ask<{
        searchPackages: { count: number; items: { Hotel: string; TotalPrice: number }[] };
      }>(SEARCH, { ...WHOLE, ...place, ...window });
      const listed = [
        ...body.matchAll(/<a class="place-hotel" [^>]*><b>([^<]*)<\/b> <span[^>]*>([^<]*)</g),
      ].map(([, name, price]) => [name?.replaceAll('&quot;', '"'), price]);
      expect(listed).toEqual(
        searchPackages.items.map(({ Hotel, TotalPrice }) => [
          (JSON.parse(Hotel) as { HotelName: string }).HotelName,
          formatPounds(TotalPrice),
        ]),
      );
    });

    it('leads to pages that exist', async () => {
      const { body } = await open('/holidays/spain/costa-blanca');
      const links = [...body.matchAll(/href="(\/(?:hotel|holidays)\/[^"]*)"/g)].map(([, link = '']) => link);
      expect(links.length).toBeGreaterThan(4);
      for (const link of links) expect((await open(link.replaceAll('&amp;', '&'))).statusCode).toBe(200);
    });

    it('is not sent again before the next import', async () => {
      const { headers } = await open('/holidays/spain');
      expect((await open('/holidays/spain', { 'if-none-match': headers.etag })).statusCode).toBe(304);
      expect((await open('/holidays/greece', { 'if-none-match': headers.etag })).statusCode).toBe(200);
    });

    it('has the price record of its resorts once enough is settled', async () => {
      const record = 'Of 84 prices in Costa Blanca that we judged and settled, 81% were in the range we gave';
      const { headers, body } = await open('/holidays/spain/costa-blanca');
      expect(body).not.toContain('that we judged');
      const database = await openDatabase(store.address);
      const counts = {
        1: { prices: 84, inRange: 68 },
        2: { prices: 20, inRange: 9 },
        4: { prices: 49, inRange: 1 },
      };
      await writeNote(database, PRICE_RECORD_PLACES, JSON.stringify(counts));
      await writeNote(database, PRICE_RECORD_ROOT, 'a'.repeat(64));
      await database.close();
      const later = await open('/holidays/spain/costa-blanca', { 'if-none-match': headers.etag });
      expect(later.body).toContain(record);
      expect(later.body).toContain('href="/price-record">See our price record');
      expect((await open('/holidays/spain')).body).toContain('Of 104 prices in Spain that we judged');
      // Fewer than 50 prices say little.
      for (const path of ['/holidays/greece', '/holidays/spain/islands/old-town'])
        expect((await open(path)).body).not.toContain('that we judged');
    });

    it.each([
      '/holidays/atlantis',
      '/holidays/spain/crete',
      '/holidays/spain/2027-12',
      '/holidays/',
      '/holidays/a/b/c/d',
    ])('is not found for %s', async (path) => {
      expect((await open(path)).statusCode).toBe(404);
    });
  });
}

function textOf(html: string): string {
  return html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}
