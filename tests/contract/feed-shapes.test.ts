import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayNumber } from '../../domain/calendar-date.ts';
import { type FeedSite, makeFeedSite } from '../fixtures/feed-site.ts';
import { zipOf } from '../fixtures/zip-of.ts';

const PROVIDERS = {
  providers: [
    {
      code: 'SUNW',
      name: 'Sunward',
      linkHosts: ['www.awin1.com', 'www.sunward.example'],
      upgradeHosts: ['www.awin1.com'],
    },
  ],
};

let site: FeedSite;
beforeEach(async () => {
  site = await makeFeedSite('embedded', PROVIDERS);
});
afterEach(() => site.close());

/** A row in an affiliate network's feed, by column. */
const ROW = {
  aw_deep_link: 'https://www.awin1.com/pclick.php?p=1&m=2',
  search_price: '899.00',
  hotel: 'Hotel Sol',
  country: 'Spain',
  region: 'Costa Blanca',
  resort: 'Benidorm',
  from: 'LGW',
  departs: '2027-06-12',
  returns: '2027-06-19',
  nights: '7',
  board: 'Half Board',
  each: '449.50',
  heads: '2',
};

const FIELDS = {
  HotelName: { column: 'hotel' },
  HolidayCountry: { column: 'country' },
  HolidayRegion: { column: 'region' },
  HolidayResort: { column: 'resort' },
  Duration: { column: 'nights' },
  DepartureDate: { column: 'departs', date: 'YYYY-MM-DD' },
  DepartureAirportCode_Outbound: { column: 'from' },
  BoardBasis: { column: 'board', values: { 'Half Board': 'HB', 'Self Catering': 'SC' } },
  TotalPrice: { column: 'search_price' },
  DeeplinkUrl: { column: 'aw_deep_link' },
};

async function importBy(mapping: Record<string, unknown>, feed: string | Uint8Array, ...words: string[]) {
  const path = site.file('mapping.json', JSON.stringify(mapping));
  return site.run(['import', '-', '--mapping', path, ...words], feed);
}

function csv(change: Partial<typeof ROW> = {}): string {
  const row = { ...ROW, ...change };
  const cells = Object.values(row).map((cell) => `"${cell}"`);
  return `${Object.keys(row).join(',')}\n${cells.join(',')}\n`;
}

const stored = () =>
  site.ask(`select hotel.name, airport.code, departure_day, nights, price, link from offer
    join hotel on hotel.id = hotel join airport on airport.id = airport order by 1, 2`);

const SOL = ['Hotel Sol', 'LGW', dayNumber('2027-06-12'), 7, 89_900, ROW.aw_deep_link];

describe('A feed in a real-world format, read by a mapping', () => {
  it.each<[string, Record<string, unknown>, Partial<typeof ROW>, unknown[][]]>([
    ['http links of a listed host', {}, { aw_deep_link: ROW.aw_deep_link.replace('https', 'http') }, [SOL]],
    ['nights from two dates', { ReturnDate: { column: 'returns' } }, { nights: '' }, [SOL]],
    ['a day in UTC', {}, { departs: '2027-06-11T23:00:00Z' }, [SOL]],
    ['entities', {}, { hotel: 'Hotel S&oacute;l &amp; Spa' }, [['Hotel Sól & Spa', ...SOL.slice(1)]]],
    [
      'a price for each of several people',
      {
        TotalPrice: { column: 'each', times: { column: 'heads' } },
        NumberOfAdults: { column: 'heads' },
      },
      { heads: '4' },
      [SOL.with(4, 179_800)],
    ],
    [
      'several airports',
      { DepartureAirportCode_Outbound: { column: 'from', split: ',' } },
      { from: 'LGW,MAN,BHX' },
      ['BHX', 'LGW', 'MAN'].map((code) => SOL.with(1, code)),
    ],
    ['markup in names', {}, { hotel: '<b>Hotel</b> Sol<br/>' }, [SOL]],
    [
      'a month by its name',
      { DepartureDate: { column: 'departs', date: 'D MMM YYYY' } },
      { departs: '12 Jun 2027' },
      [SOL],
    ],
  ])('with %s has the right packages', async (_what, fields, change, packages) => {
    const { exit, out } = await importBy({ fields: { ...FIELDS, ...fields } }, csv(change));
    expect(exit, out).toBe(0);
    expect(await stored()).toEqual(packages);
  });

  it('with a board that is not known waits for a review, and has the right packages once accepted', async () => {
    const mapping = { fields: { ...FIELDS, BoardBasis: { value: 'TI' } } };
    expect((await importBy(mapping, csv())).out).toContain('Board codes that Skylark does not know: TI (1)');
    expect(await stored()).toEqual([]);
    expect((await importBy(mapping, csv(), '--accept')).exit).toBe(0);
    expect(await stored()).toEqual([SOL]);
  });

  it('in an archive with other files is the one that the mapping names', async () => {
    const pack = zipOf([
      ['d/hotels.csv', 'x'],
      ['d/offers-1.csv', csv()],
    ]);
    expect(await importBy({ fields: FIELDS }, pack)).toEqual({
      exit: 1,
      out: expect.stringContaining('Name the feed with "file" in the mapping'),
    });
    expect((await importBy({ file: 'offers*.csv', fields: FIELDS }, pack)).exit).toBe(0);
    expect(await stored()).toEqual([SOL]);
    expect(await site.ask('select code from board')).toEqual([['HB']]);
    expect((await importBy({ file: 'prices*.csv', fields: FIELDS }, pack)).out).toContain(
      'The zip has no file prices*.csv',
    );
  });

  it('in another encoding is rejected as a whole, but read if the mapping names the encoding', async () => {
    const feed = Buffer.from(csv({ hotel: 'Hotel Meliá' }), 'latin1');
    expect(await importBy({ fields: FIELDS }, feed)).toEqual({
      exit: 1,
      out: expect.stringContaining('Set "encoding" in the mapping'),
    });
    expect((await importBy({ encoding: 'windows-1252', fields: FIELDS }, feed)).exit).toBe(0);
    expect(await stored()).toEqual([['Hotel Meliá', ...SOL.slice(1)]]);
  });

  it.each([
    [
      'holiday',
      '<?xml version="1.0"?><offers count="1"><package><hotel>Sol</hotel></package></offers>',
      'no element <holiday>; found <offers>, <package>, <hotel>. Correct "rows" in the mapping.',
    ],
    ['holiday', '<offers/>', 'no element <holiday>; found <offers>.'],
    [
      'data.offers',
      '{"at":"now","data":{"packages":[{"images":["a"]}],"airports":["LGW"]}}',
      'no list data.offers; found packages, images, airports.',
    ],
    ['offers', '[{"hotel":"Sol"}]', 'no list offers; found none with a name.'],
    ['offers', '{"offers":[]}', 'but no rows'],
  ])('is refused with what it has instead of the rows %s', async (rows, feed, message) => {
    const { exit, out } = await importBy({ rows, fields: FIELDS }, feed);
    expect([exit, out]).toEqual([1, expect.stringContaining(message)]);
  });

  it('in UTF-16 is read if the mapping names it', async () => {
    const feed = Buffer.from(`\uFEFF${csv({ hotel: 'Hotel Meliá' })}`, 'utf16le');
    expect((await importBy({ encoding: 'utf-16le', fields: FIELDS }, feed)).exit).toBe(0);
    expect(await stored()).toEqual([['Hotel Meliá', ...SOL.slice(1)]]);
  });

  const XML_FIELDS = {
    HotelName: { column: 'hotel/name' },
    HolidayCountry: { column: 'countryDest' },
    HolidayResort: { column: 'arrivalTown' },
    Duration: { column: 'nightDuration' },
    DepartureDate: { column: 'departureDate' },
    DepartureAirportCode_Outbound: { column: 'airportDeparture', split: ',' },
    BoardBasis: { column: 'boardBasis', values: { 'Self Catering': 'SC' } },
    TotalPrice: { column: 'price' },
    Currency: { column: 'price/@currency' },
    DeeplinkUrl: { column: 'link' },
  };
  const holiday = (name: string) =>
    `<holiday><hotel><name>${name}</name></hotel><countryDest>SPAIN</countryDest><arrivalTown>BENIDORM</arrivalTown>
    <airportDeparture>GLA </airportDeparture><airportDeparture>EDI</airportDeparture><nightDuration>7</nightDuration>
    <departureDate>2027-06-12</departureDate><boardBasis>Self Catering</boardBasis>
    <price currency="GBP">324.00</price><link><![CDATA[https://www.sunward.example/?a=1&b=2]]></link></holiday>\n`;
  const XML = { rows: 'holiday', fields: XML_FIELDS };

  it('in XML is read with elements, attributes, CDATA, entities and repeated elements', async () => {
    const feed = `<?xml version="1.0" encoding="ISO-8859-1"?><feed>${holiday('Sol &amp; Mar é')}</feed>`;
    const { exit, out } = await importBy(XML, Buffer.from(feed, 'latin1'));
    expect(exit, out).toBe(0);
    const link = 'https://www.sunward.example/?a=1&b=2';
    expect(await stored()).toEqual(
      ['EDI', 'GLA'].map((code) => ['Sol & Mar é', code, dayNumber('2027-06-12'), 7, 32_400, link]),
    );
  });

  it('in XML may have a single row, and loses only rows that are not well-formed', async () => {
    expect((await importBy(XML, `<?xml version="1.0"?>\n${holiday('Hotel Sol')}`)).exit).toBe(0);
    const rows = ['A', 'B', 'C', 'Fish & Chips &eacute;', 'a\u0001b'].map(holiday).join('');
    const { exit, out } = await importBy(XML, `<feed>${rows}</feed>`);
    expect([exit, out]).toEqual([
      0,
      expect.stringContaining('1 x The row has a part that is not well-formed XML: line 17'),
    ]);
    expect((await stored()).map(([name]) => name)).toContain('Fish & Chips é');
  });

  it.each([
    ['XML', XML, `<feed>${holiday('A')}${holiday('B').slice(0, 80)}`, 'the XML is damaged or cut off'],
    ['XML without an element for the rows', { fields: XML_FIELDS }, `<a>${holiday('A')}</a>`, 'needs "rows"'],
    ['JSON', { fields: FIELDS }, `[${JSON.stringify(ROW)},{"hotel"`, 'damaged or cut off after item 1'],
    [
      'JSON with a path',
      { rows: 'data', fields: FIELDS },
      `{"data":[${JSON.stringify(ROW)}`,
      'damaged or cut off',
    ],
  ])('in %s is rejected if it is cut off or cannot be read', async (_what, mapping, feed, words) => {
    expect(await importBy(mapping, feed)).toEqual({ exit: 1, out: expect.stringContaining(words) });
    expect(await stored()).toEqual([]);
  });

  const item = {
    ...ROW,
    hotel: { names: ['Hotel Sol'] },
    from: ['LGW'],
    price: 899,
    search_price: undefined,
  };
  const JSON_FIELDS = {
    ...FIELDS,
    HotelName: { column: 'hotel.names.0' },
    TotalPrice: { column: 'price' },
  };

  it.each([
    ['an array', undefined, JSON.stringify([item], null, 2)],
    ['a document', 'data.offers', JSON.stringify({ page: 1, data: { offers: [item], more: false } })],
    ['one item per line', undefined, `${JSON.stringify(item)}\n`],
    ['items over several lines', undefined, `${JSON.stringify(item, null, 2)}\n`],
  ])('in JSON may be %s', async (_what, rows, feed) => {
    const { exit, out } = await importBy({ rows, fields: JSON_FIELDS }, feed);
    expect(exit, out).toBe(0);
    expect(await stored()).toEqual([SOL]);
  });
});
