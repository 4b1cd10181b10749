import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FeedSite, makeFeedSite } from '../fixtures/feed-site.ts';

const provider = (code: string) => ({ code, name: code, linkHosts: ['www.example.test'] });

let site: FeedSite;
beforeEach(async () => {
  site = await makeFeedSite('embedded', { providers: [provider('SUNW'), provider('BAYS')] });
});
afterEach(() => site.close());

type Row = Record<string, string | number>;

const PLACES = [
  ['Spain', 'Costa Blanca', 'Benidorm', 38.54, -0.13],
  ['Greece', 'Crete', 'Malia', 35.28, 25.46],
  ['Turkey', 'Antalya', 'Side', 36.77, 31.39],
] as const;
const BOARDS = ['HB', 'AI', 'SC', 'BB'];

/** A sound feed of 36 packages in twelve hotels, changed row by row. */
function feed(change: (row: Row) => Row = (row) => row): string {
  const rows = Array.from({ length: 36 }, (_, nth) => {
    const [country = '', region = '', resort = '', lat = 0, lon = 0] = PLACES[nth % 3] ?? [];
    const nights = [7, 10, 14][Math.floor(nth / 12)] ?? 7;
    return change({
      hotel: `Hotel ${nth % 12}`,
      country,
      region,
      resort,
      lat,
      lon,
      rating: 7.5 + (nth % 12) / 10,
      from: ['LGW', 'MAN'][nth % 2] ?? '',
      date: `2027-0${6 + (nth % 3)}-${10 + nth / 2}`.slice(0, 10),
      nights,
      board: BOARDS[nth % 4] ?? '',
      adults: 2,
      price: (600 + 90 * nights + nth).toFixed(2),
      url: `https://www.example.test/${nth}`,
    });
  });
  const columns = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => columns.map((column) => row[column]).join(','));
  return `${[columns.join(','), ...lines].join('\n')}\n`;
}

const FIELDS = {
  HotelName: { column: 'hotel' },
  HolidayCountry: { column: 'country' },
  HolidayRegion: { column: 'region' },
  HolidayResort: { column: 'resort' },
  Latitude: { column: 'lat' },
  Longitude: { column: 'lon' },
  ConsumerRating: { column: 'rating' },
  DepartureAirportCode_Outbound: { column: 'from' },
  DepartureDate: { column: 'date' },
  Duration: { column: 'nights' },
  BoardBasis: { column: 'board' },
  NumberOfAdults: { column: 'adults' },
  TotalPrice: { column: 'price' },
  DeeplinkUrl: { column: 'url' },
};

function run(act: string, text: string, fields: object = {}, code = 'SUNW') {
  const path = site.file('mapping.json', JSON.stringify({ fields: { ...FIELDS, ...fields } }));
  return site.run([act, '-', '--provider', code, '--mapping', path], text);
}

const euros = (row: Row) => ({ ...row, currency: 'EUR' });
const each = (row: Row) => ({ ...row, price: (Number(row.price) / 2).toFixed(2) });
/** The feed costs 68% of the sample. */
const halfOf = (share: number) => (row: Row) => ({
  ...row,
  price: ((Number(row.price) * share) / 136).toFixed(2),
});
const columnsOf = (more: Row) => (row: Row) => ({ ...row, ...more });

describe('A first feed', () => {
  it.each<[string, (row: Row) => Row, object?]>([
    ['a plain feed', (row) => row],
    ['pounds in a column that is not read', columnsOf({ currency: 'GBP' })],
    ['taxes of 0', columnsOf({ tax: '0.00' })],
    ['prices per person, multiplied', each, { TotalPrice: { column: 'price', times: 2 } }],
    [
      'a tax that is added',
      columnsOf({ tax: '40' }),
      { TotalPrice: { column: 'price', plus: [{ column: 'tax' }] } },
    ],
    ['two adults in a column that is not read', columnsOf({ pax: 2, children: 0 })],
    ['stays of 3 and 8 nights among others', (row) => ({ ...row, nights: row.nights === 14 ? 8 : 3 })],
  ])('with %s is imported', async (_what, change, fields) => {
    const { exit, out } = await run('import', feed(change), fields);
    expect(exit, out).toBe(0);
  });

  it.each<[string, (row: Row) => Row, string, object?]>([
    ['prices per person as totals', each, 'Prices are 34% of the sample'],
    ['half the prices of a cheap market', halfOf(84), 'Prices are 42% of the sample'],
    ['half the prices of a usual market', halfOf(100), 'Prices are 50% of the sample'],
    [
      'a column of prices per person',
      (row) => ({ ...row, price_pp: row.price ?? 0 }),
      'price_pp seems to have prices per person',
      { TotalPrice: { column: 'price_pp' } },
    ],
    [
      'prices that a column says are per person',
      columnsOf({ perPerson: 'true' }),
      'Column perPerson is not read (true)',
    ],
    ['euros in a column that is not read', euros, 'Column currency is not read (EUR)'],
    ['a tax that is not added', columnsOf({ taxes: '80.00' }), 'Column taxes is not read (80.00)'],
    [
      'a whole price that is not read',
      (row) => ({ ...row, total_price: 2_000 }),
      'Column total_price is not read (2000)',
    ],
    ['children that are not read', columnsOf({ children: 2 }), 'Column children is not read (2)'],
    [
      'days read as nights',
      (row) => ({ ...row, nights: Number(row.nights) + 1 }),
      'each one more than usual',
    ],
    [
      'swapped coordinates',
      (row) => ({ ...row, lat: Number(row.lon), lon: Number(row.lat) }),
      'exchange the columns of Latitude and Longitude',
    ],
    [
      'coordinates in another country',
      columnsOf({ lat: 51.5, lon: 0 }),
      '12 of 12 hotels lie outside their country',
    ],
    ['ratings out of five', columnsOf({ rating: 4.5 }), 'multiply ConsumerRating by 2'],
    [
      'boards in German',
      (row) => ({ ...row, board: row.board === 'AI' ? 'TI' : 'HP' }),
      'Board codes that Skylark does not know: HP (27), TI (9)',
    ],
    [
      'regions and resorts that are swapped',
      ({ region = '', resort = '', ...row }) => ({ ...row, region: resort, resort: region }),
      '100% of packages are in regions that visitors cannot choose',
    ],
  ])('with %s is held, and check says why', async (_what, change, words, fields) => {
    const checked = await run('check', feed(change), fields);
    expect(checked.exit, checked.out).toBe(3);
    expect(checked.out).toContain(words);
    const { exit, out } = await run('import', feed(change), fields);
    expect([exit, out]).toEqual([3, expect.stringContaining(words)]);
    expect(await site.offers()).toEqual([]);
    expect((await site.run(['accept', 'SUNW'])).exit).toBe(0);
    expect((await site.offers()).length).toBeGreaterThan(0);
  });

  it('is compared with other providers in the same places', async () => {
    const dear = (row: Row) => ({ ...row, price: (Number(row.price) * 2).toFixed(2) });
    expect((await run('import', feed(dear), {}, 'BAYS')).exit).toBe(0);
    const { exit, out } = await run('import', feed());
    expect(exit).toBe(3);
    expect(out).toContain("Prices are 50% of other providers' for the same places and nights");
    const checked = await run('check', feed(dear));
    expect(checked.exit).toBe(0);
    expect(checked.out).toContain("Prices: the median is 100% of other providers'");
    expect(checked.out).toContain(
      "Other providers' nights in the same places: 7 (33.3%), 10 (33.3%), 14 (33.3%).",
    );
  });
});

it('A later feed is held if a fifth of its prices fall by more than 40%, and for no finding of first feeds', async () => {
  expect((await run('import', feed())).exit).toBe(0);
  const fallen = (row: Row) =>
    Number(row.hotel?.toString().slice(6)) < 4 ? { ...row, price: Number(row.price) * 0.55 } : row;
  const rounded = (row: Row) => ({ ...fallen(row), price: Number(fallen(row).price).toFixed(2) });
  const { exit, out } = await run('import', feed(rounded));
  expect([exit, out]).toEqual([
    3,
    expect.stringContaining('33.3% of prices fell by more than 40%: 12 of 36'),
  ]);
  expect(
    (
      await run(
        'import',
        feed((row) => ({ ...euros(row), price: Number(row.price) + 1 })),
      )
    ).exit,
  ).toBe(0);
});

it('A check shows ranges, examples, columns that are not read, and packages of different hotels', async () => {
  const { out } = await run('check', feed(columnsOf({ promo: 'SUN27' })));
  expect(out).toContain(
    'Hotel 0, no stars, Benidorm, Spain: LGW on 2027-06-10, 7 nights, HB, 2 adults: £1230.00',
  );
  expect(out).toContain('Hotel 9,');
  expect(out).not.toContain('Hotel 10,');
  expect(out).toContain('TotalPrice: £1230.00 to £1895.00; £1230.00, £1231.00, £1232.00');
  expect(out).toContain('Columns that no field reads:\n  promo: SUN27');
  expect(out).toContain('Nights: 7 (12), 10 (12), 14 (12).');
  expect(out).toContain('Airports: LGW (18), MAN (18).');
  expect(await site.offers()).toEqual([]);
});
