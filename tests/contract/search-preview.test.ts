import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatPounds } from '../../domain/money.ts';
import { API_KEY, openSmallApp, type SmallApp } from '../fixtures/small-app.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';
import { FILTERS } from './suites/search-http.ts';

const SITE = 'https://seaward.example';
const PAGE = '<!doctype html><html><head><title>Find</title></head><body>Skylark</body></html>';
const LINK = '/results?country=Spain&region=Costa+Blanca&from=LGW&date=2027-05-04&nights=7';

const SEARCH = `query ($filters: PackageSearchFilters!, $refine: SearchRefinements) {
  searchPackages(filters: $filters, refine: $refine, limit: 3) { items { Hotel TotalPrice } }
}`;

describe.each(STORE_KINDS)('The preview of a shared search, %s', (store) => {
  let small: SmallApp;
  beforeAll(async () => {
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="360" viewBox="0 0 480 360"><rect width="1440" height="360" fill="#48c"/></svg>';
    small = await openSmallApp({
      store,
      collapse: 'hotel',
      publicUrl: SITE,
      page: {
        'index.html': PAGE,
        'results.html': PAGE,
        'service-worker.js': 'const KEPT = [];',
        'assets/places/coast.svg': drawing,
      },
    });
  });
  afterAll(() => small.close());

  async function found(filters: object, refine: object | null) {
    const response = await small.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'x-api-key': API_KEY },
      payload: {
        query: SEARCH,
        variables: { filters: { ...FILTERS, departureAirports: ['LGW'], ...filters }, refine },
      },
    });
    const { data } = response.json<{
      data: { searchPackages: { items: { Hotel: string; TotalPrice: number }[] } };
    }>();
    return data.searchPackages.items.map(({ Hotel, TotalPrice }) => ({
      name: (JSON.parse(Hotel) as { HotelName: string }).HotelName,
      price: formatPounds(TotalPrice),
    }));
  }

  const tagOf = (body: string, property: string) =>
    new RegExp(`<meta property="og:${property}" content="([^"]*)">`)
      .exec(body)?.[1]
      ?.replaceAll('&quot;', '"') ?? null;

  it.each([
    ['one day', '', { startDate: '2027-05-04', endDate: '2027-05-11', lastDeparture: '2027-05-04' }, null],
    [
      'days around it',
      '&flex=3',
      { startDate: '2027-05-01', endDate: '2027-05-14', lastDeparture: '2027-05-07' },
      null,
    ],
    [
      'a board',
      '&boards=HB',
      { startDate: '2027-05-04', endDate: '2027-05-11', lastDeparture: '2027-05-04' },
      { boards: ['HB'] },
    ],
    [
      'a party',
      '&children=1',
      { startDate: '2027-05-04', endDate: '2027-05-11', lastDeparture: '2027-05-04', numberOfChildren: 1 },
      null,
    ],
  ])(
    'names the three cheapest hotels with their totals and a picture, for %s',
    async (_, parameters, filters, refine) => {
      const place = { country: 'Spain', region: 'Costa Blanca' };
      const cheapest = await found({ ...place, ...filters }, refine);
      expect(cheapest.length).toBeGreaterThan(0);
      const { body } = await small.app.inject({
        url: LINK + parameters,
        headers: { 'accept-encoding': 'identity' },
      });
      expect(tagOf(body, 'title')).toBe(
        `Costa Blanca from London Gatwick, 4 May 2027, 7 nights: from ${cheapest[0]?.price}`,
      );
      const named = cheapest.map(({ name, price }) => `${name} ${price}`).join(', ');
      expect(tagOf(body, 'description')?.startsWith(`${named}: flight and hotel for 2 adults`)).toBe(true);
      const image = tagOf(body, 'image') ?? '';
      const drawn = await small.app.inject(image.slice(SITE.length));
      expect(drawn.headers['content-type']).toBe('image/png');
      const { rawPayload } = drawn;
      expect([rawPayload.readUInt32BE(16), rawPayload.readUInt32BE(20)]).toEqual([1_200, 630]);
    },
  );

  it('has only the words of the search if nothing is on sale for it', async () => {
    const { body } = await small.app.inject({
      url: LINK.replace('05-04', '09-04'),
      headers: { 'accept-encoding': 'identity' },
    });
    expect(tagOf(body, 'title')).toBe('Costa Blanca from London Gatwick, 4 September 2027, 7 nights');
    expect(tagOf(body, 'image')).toBe(`${SITE}/assets/share.png`);
  });

  it('draws no picture of another name', async () => {
    for (const name of ['coast-night.png', 'nowhere-dawn.png', '..%2fcoast-dawn.png', 'coast-dawn.svg'])
      expect((await small.app.inject(`/share/${name}`)).statusCode).toBe(404);
  });
});
