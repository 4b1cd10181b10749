import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { embeddedStore } from '../../server/storage/store-address.ts';
import { type FeedSite, feedItem, makeFeedSite, ndjson } from '../fixtures/feed-site.ts';
import { zipOf } from '../fixtures/zip-of.ts';

let site: FeedSite;
beforeEach(async () => {
  site = await makeFeedSite();
});
afterEach(() => site.close());

interface Refusal {
  line: number;
  field: string;
  column?: string;
  value: string;
  reason: string;
  leftOut?: boolean;
}

/** The lines of the latest report. */
function report(): Refusal[] {
  const folder = join(site.folder, 'feed-reports');
  const newest = readdirSync(folder).toSorted().at(-1) ?? '';
  const lines = readFileSync(join(folder, newest), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Refusal);
}

function goodItems(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => feedItem({ HotelIdentifierCode: `GOOD${index}` }));
}

describe('A row of a feed', () => {
  const BAD: [Record<string, unknown>, field: string, reason: string][] = [
    [{ TotalPrice: undefined }, 'TotalPrice', 'is missing'],
    [{ TotalPrice: null }, 'TotalPrice', 'is missing'],
    [{ TotalPrice: '899,50' }, 'TotalPrice', 'amount in pounds'],
    [{ TotalPrice: '899 GBP' }, 'TotalPrice', 'amount in pounds'],
    [{ TotalPrice: '899.500' }, 'TotalPrice', 'two decimals'],
    [{ TotalPrice: 0 }, 'TotalPrice', 'plausible'],
    [{ TotalPrice: 8.99 }, 'TotalPrice', 'plausible'],
    [{ TotalPrice: 89_950_000 }, 'TotalPrice', 'plausible'],
    [{ TotalPriceBeforeDiscount: 105_000 }, 'TotalPriceBeforeDiscount', 'plausible'],
    [{ Currency: 'EUR' }, 'Currency', 'is not GBP'],
    [{ DepartureDate: undefined }, 'DepartureDate', 'is missing'],
    [{ DepartureDate: '12/06/2027' }, 'DepartureDate', 'is not a day'],
    [{ DepartureDate: '2027-02-29' }, 'DepartureDate', 'is not a day'],
    [{ DepartureDate: '2026-11-21' }, 'DepartureDate', '18 months'],
    [{ DepartureDate: '2028-05-22' }, 'DepartureDate', '18 months'],
    [{ Duration: 0 }, 'Duration', 'nights'],
    [{ Duration: 365 }, 'Duration', 'nights'],
    [{ Duration: '7 nights' }, 'Duration', 'nights'],
    [{ DepartureAirportCode_Outbound: 'XXX' }, 'DepartureAirportCode_Outbound', 'departure airports'],
    [{ DepartureAirportCode_Outbound: 'ALC' }, 'DepartureAirportCode_Outbound', 'departure airports'],
    [{ DepartureAirportCode_Outbound: 'LOND' }, 'DepartureAirportCode_Outbound', 'IATA'],
    [{ DepartureAirportCode_Outbound: '__proto__' }, 'DepartureAirportCode_Outbound', 'IATA'],
    [{ ArrivalAirportCode_Outbound: 'QQQ' }, 'ArrivalAirportCode_Outbound', 'providers.json'],
    [{ HolidayResort: undefined }, 'HolidayResort', 'is missing'],
    [{ HolidayRegion: undefined, HolidayResort: 'Nowhere' }, 'HolidayRegion', 'destination list'],
    [{ HotelName: undefined }, 'HotelName', 'is missing'],
    [{ HotelName: 'Hotel\u0000Sol' }, 'HotelName', 'invisible'],
    [{ HotelName: 'Hotel\u200BSol' }, 'HotelName', 'invisible'],
    [{ HotelName: 'Hotel\u001B[31m' }, 'HotelName', 'invisible'],
    [{ HotelName: 'Hotel\nSol' }, 'HotelName', 'invisible'],
    [{ HotelName: 'Hotel \uD800' }, 'HotelName', 'invisible'],
    [{ HotelName: '\u3164' }, 'HotelName', 'invisible'],
    [{ HotelName: 'Hotel\u034FSol' }, 'HotelName', 'invisible'],
    [{ HotelName: `H${'\u0301'.repeat(9)}otel` }, 'HotelName', 'marks'],
    [{ HotelName: 'x'.repeat(201) }, 'HotelName', 'longer'],
    [{ HotelName: { name: 'Hotel' } }, 'HotelName', 'is not text'],
    [{ StarRating: 11 }, 'StarRating', 'stars'],
    [{ StarRating: 4.2 }, 'StarRating', 'stars'],
    [{ ConsumerRating: 84 }, 'ConsumerRating', 'is not a rating out of 10'],
    [{ Latitude: 138, Longitude: 0 }, 'Latitude', 'degrees'],
    [{ Latitude: 38 }, 'Latitude', 'coordinate'],
    [{ BoardBasis: 'All Inclusive' }, 'BoardBasis', 'board code'],
    [{ NumberOfAdults: 0 }, 'NumberOfAdults', 'adults'],
    [{ NumberOfChildren: -1 }, 'NumberOfChildren', 'children'],
    [{ RoomCount: 2 }, 'RoomCount', 'must be 1'],
    [{ LuggageIncluded: -1 }, 'LuggageIncluded', 'luggage'],
    [{ Brand: 'TIDE' }, 'Brand', 'a different provider'],
    [{ DeeplinkUrl: undefined }, 'DeeplinkUrl', 'is missing'],
    [{ DeeplinkUrl: 'javascript:alert(1)' }, 'DeeplinkUrl', 'https'],
    [{ HotelIdentifierCode: 2 ** 60 }, 'HotelIdentifierCode', 'write it as text'],
    [{ DeeplinkUrl: 'https://evil.example/' }, 'DeeplinkUrl', 'linkHosts'],
    [{ Expiry: '2026-11-20T00:00:00Z' }, 'Expiry', 'has passed'],
    [{ Expiry: 'soon' }, 'Expiry', 'is not a date'],
    [{ FlightNumber_Outbound: '<b>1</b>' }, 'FlightNumber_Outbound', 'flight number'],
    [
      { DepartureDateTime_Outbound: '2027-06-13T06:30:00+01:00' },
      'DepartureDateTime_Outbound',
      'is not on DepartureDate',
    ],
    [{ DepartureDateTime_Outbound: '06:30' }, 'DepartureDateTime_Outbound', 'is not a date and time'],
    [
      { DepartureDateTime_Outbound: '2027-06-12T25:30:00' },
      'DepartureDateTime_Outbound',
      'is not a date and time',
    ],
    [
      { DepartureDateTime_Outbound: '2027-06-12T06:30:00', ArrivalDateTime_Outbound: '2027-06-12T05:30:00' },
      'ArrivalDateTime_Outbound',
      'after the departure',
    ],
    [
      {
        DepartureDateTime_Outbound: '2027-06-12T06:30:00',
        ArrivalDateTime_Outbound: '2027-06-12T05:30:00',
        FlightDuration_Outbound: 9_300,
      },
      'ArrivalDateTime_Outbound',
      'after the departure',
    ],
    [
      { ArrivalAirportCode_Outbound: 'LGW' },
      'ArrivalAirportCode_Outbound',
      'airport of the outbound departure',
    ],
    [{ DepartureDateTime_Inbound: '2027-06-12T06:30:00' }, 'DepartureDateTime_Inbound', 'does not fit'],
    [{ FlightDuration_Outbound: 0 }, 'FlightDuration_Outbound', 'seconds'],
    [{ FlightDuration_Outbound: 9_000_000 }, 'FlightDuration_Outbound', 'seconds'],
    [{ Hotel: '{"HotelName":' }, 'Hotel', 'JSON object'],
    [{ Hotel: '[]' }, 'Hotel', 'JSON object'],
    [{ Flight: 7 }, 'Flight', 'JSON object'],
  ];

  it('is rejected alone if it is wrong, with its line, field and the reason', async () => {
    const good = goodItems(300);
    const rows = [
      ...good,
      ...BAD.map(([change], index) => feedItem({ HotelIdentifierCode: `BAD${index}`, ...change })),
    ];
    const { exit, out } = await site.run(['import', '-', '--provider', 'SUNW'], ndjson(rows));
    expect(out).toContain(`${rows.length} rows, ${BAD.length} refused; 300 packages.`);
    expect(exit).toBe(0);
    expect(await site.offers()).toHaveLength(300);
    const refusals = report();
    for (const [index, [change, field, reason]] of BAD.entries()) {
      const line = good.length + index + 1;
      const found = refusals.filter((one) => one.line === line);
      expect(found.map((one) => `${one.field} ${one.reason}`).join('; '), JSON.stringify(change)).toContain(
        field,
      );
      expect(found.map((one) => one.reason).join('; '), JSON.stringify(change)).toContain(reason);
    }
    // The feed's control characters and text direction marks are escaped.
    expect(out.replaceAll('\n', '') + JSON.stringify(refusals)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
  });

  it('is skipped and reported if it is sold out or not on sale yet', async () => {
    const rows = [...goodItems(1), feedItem({ InStock: '0' }), feedItem({ ValidFrom: '2027-01-01' })];
    const { exit, out } = await site.run(['import', '-', '--provider', 'SUNW'], ndjson(rows));
    expect([exit, (await site.offers()).length]).toEqual([0, 1]);
    expect(out).toContain('2 not on sale');
    expect(report().map(({ line, leftOut }) => [line, leftOut])).toEqual([
      [2, true],
      [3, true],
    ]);
  });

  it('is rejected if its hotel code has another name or star rating than before', async () => {
    const rows = [
      ...goodItems(9),
      feedItem({ HotelName: 'Hotel Señorío' }),
      // A different case, missing accents or a missing star rating are no contradiction.
      feedItem({ HotelName: 'HOTEL SENORIO', BoardBasis: 'AI' }),
      feedItem({ HotelName: 'Hotel Señorío', BoardBasis: 'BB', StarRating: undefined }),
      feedItem({ HotelName: 'Hotel Luna', BoardBasis: 'RO' }),
      feedItem({ HotelName: 'Hotel Señorío', BoardBasis: 'SC', StarRating: 3.5 }),
      feedItem({ HotelName: 'Hotel Luna', BoardBasis: 'FB', StarRating: 2 }),
    ];
    const { exit, out } = await site.run(['import', '-', '--provider', 'SUNW'], ndjson(rows));
    expect(exit).toBe(0);
    expect(out).toContain('15 rows, 3 refused; 12 packages.');
    expect(report().map(({ line, field, value, reason }) => [line, field, value, reason])).toEqual([
      [13, 'HotelName', 'Hotel Luna', 'differs from an earlier line for this hotel'],
      [14, 'StarRating', '3.5', 'differs from an earlier line for this hotel'],
      [15, 'HotelName', 'Hotel Luna', 'differs from an earlier line for this hotel'],
      [15, 'StarRating', '2', 'differs from an earlier line for this hotel'],
    ]);
    expect(await site.ask("select name, half_stars from hotel where code = 'SOL1'")).toEqual([
      ['Hotel Señorío', 8],
    ]);
  });

  it('is counted by place if visitors cannot choose that place, except rejected and duplicate rows', async () => {
    const rows = [
      ...goodItems(4),
      feedItem({ HolidayResort: 'Nowhere' }),
      feedItem({ HolidayResort: 'Nowhere', TotalPrice: 950 }),
      feedItem({ HolidayResort: 'Nowhere', BoardBasis: 'AI' }),
      // One is rejected for a field, one for the hotel's resort, and one is skipped.
      feedItem({ HolidayResort: 'Elsewhere', TotalPrice: 0 }),
      feedItem({ HolidayResort: 'Far away' }),
      feedItem({ HolidayResort: 'Sold out', InStock: '0' }),
    ];
    const checked = await site.run(['check', '-', '--provider', 'SUNW', '--accept'], ndjson(rows));
    expect(checked.out).toContain('\nVisitors cannot choose these places');
    const { exit, out } = await site.run(['import', '-', '--provider', 'SUNW', '--accept'], ndjson(rows));
    expect(exit).toBe(0);
    const [, places = ''] = out.split('Imported, but visitors cannot choose these places');
    expect(places).toContain('Nowhere, Costa Blanca, Spain: 2 packages');
    expect(places).not.toMatch(/Elsewhere|Far away|Sold out/);
  });

  it('is rejected if its hotel code is in another resort', async () => {
    const rows = [...goodItems(4), feedItem(), feedItem({ HolidayResort: 'Albir', BoardBasis: 'AI' })];
    const { out } = await site.run(['import', '-', '--provider', 'SUNW'], ndjson(rows));
    expect(out).toContain('1 x HotelIdentifierCode is a hotel that is in another resort');
    expect(await site.offers()).toHaveLength(5);
  });
});

describe('A feed in JSON', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['nothing', '', 'The feed is empty'],
    ['blank lines', '\n \n', 'The feed is empty'],
    ['an array', JSON.stringify([feedItem()]), 'one JSON array'],
    ['items over many lines', JSON.stringify(feedItem(), null, 2), 'must be on one line'],
    [
      'a cut-off end',
      ndjson(goodItems(9)).slice(0, -30),
      'ends on line 9 without a newline, and that line is not one JSON object',
    ],
    ['a web page', '<!DOCTYPE html><p>Not found', 'a web page'],
    ['UTF-16', Buffer.from(`\uFEFF${ndjson([feedItem()])}`, 'utf16le'), 'UTF-16'],
    ['an xz file', new Uint8Array([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), 'xz file'],
    ['no row that can be taken', ndjson([feedItem({ TotalPrice: 1 })]), 'None of the feed'],
  ])('with %s is refused with an explanation', async (_what, content, words) => {
    const before = await site.everything();
    const { exit, out } = await site.run(['import', '-', '--provider', 'SUNW'], content);
    expect(out).toContain(words);
    expect(exit).toBe(1);
    expect(await site.everything()).toEqual(before);
  });

  it('loses only the rows with deeply nested values', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const bad = ['TotalPrice', 'LuggageIncluded', 'Hotel'].map((field) =>
      JSON.stringify(feedItem({ [field]: 'HERE' })).replace('"HERE"', deep),
    );
    const { exit, out } = await site.run(
      ['import', '-', '--provider', 'SUNW'],
      `${ndjson(goodItems(9))}${bad.join('\n')}\n`,
    );
    expect(out).toContain('12 rows, 3 refused; 9 packages.');
    expect(exit).toBe(0);
    expect(report().map(({ line, field, value }) => [line, field, value])).toEqual([
      [10, 'TotalPrice', '[…]'],
      [11, 'LuggageIncluded', '[…]'],
      [12, 'Hotel', '[…]'],
    ]);
  });

  it('loses only the lines that cannot be read', async () => {
    const line = (item: unknown) => Buffer.from(`${JSON.stringify(item)}\r\n`);
    const latin1 = Buffer.from(`${JSON.stringify(feedItem({ HotelName: 'Señorío' }))}\n`, 'latin1');
    const [first, ...rest] = goodItems(20);
    const content = Buffer.concat([
      Buffer.from('\uFEFF'),
      line(first),
      Buffer.from('{"HotelName":\n'),
      Buffer.from('7\n'),
      Buffer.from('\n'),
      latin1,
      Buffer.from(`{"a":"${'x'.repeat(3_000_000)}"}\n`),
      Buffer.from(`${'['.repeat(100_000)}\n`),
      ...rest.map(line),
      Buffer.from(JSON.stringify(feedItem({ HotelIdentifierCode: 'LAST' }))),
    ]);
    const { exit, out } = await site.run(['import', site.file('feed.json', content), '--provider', 'SUNW']);
    expect(out).toContain('26 rows, 5 refused; 21 packages.');
    expect(exit).toBe(0);
    expect(report().map(({ line: at, reason }) => `${at} ${reason}`)).toEqual([
      expect.stringMatching(/^2 is not one JSON object: /),
      expect.stringMatching(/^3 is not one JSON object: /),
      '5 is not UTF-8 text',
      '6 is longer than 1048576 bytes',
      expect.stringMatching(/^7 is not one JSON object: /),
    ]);
  });

  const [one, two] = goodItems(2).map((item) => JSON.stringify(item));

  it.each<[string, string, string]>([
    ['two items', `${one}${two}`, 'is not one JSON object: .*jq -c '],
    ['more items than a line may be long', `${one}`.repeat(6_000), 'is longer than '],
    ['an item and a comma', `${one},`, 'is not one JSON object: .*commas'],
    ['an array', `[${one},${two}]`, 'is not one JSON object: .*brackets'],
    ['an object around the items', `{"items":[${one},${two}]}`, "has none of an item's fields"],
  ])('with %s on a line loses that line, and says what to do', async (_what, bad, reason) => {
    const good = ndjson(goodItems(9));
    const { exit, out } = await site.run(['import', '-', '--provider', 'SUNW'], `${good}${bad}\n`);
    expect(out).toContain('10 rows, 1 refused; 9 packages.');
    expect(exit).toBe(0);
    expect(report()).toEqual([
      expect.objectContaining({ line: 10, field: '', reason: expect.stringMatching(reason) }),
    ]);
  });

  it.each<[string, string, string]>([
    ['items one after the other', `${one}${two}`, 'is not one JSON object'],
    ['an object around the items', `{"items":[${one},${two}]}`, "The row has none of an item's fields"],
    ['an array', `[${one},${two}]`, "jq -c '.[]'"],
    ['a formatted array', JSON.stringify(goodItems(2), null, 2), "jq -c '.[]'"],
    ['a formatted item', JSON.stringify(feedItem(), null, 2), 'jq -c .'],
    ['an array that begins with its item', `[ {"HotelName": 1,\n"b": 2} ]`, "jq -c '.[]'"],
    ['an item over lines that begins with its field', `{ "HotelName": 1,\n"b": 2}`, 'is not one JSON'],
  ])('that is %s, without a newline, is refused with what to do', async (_what, content, words) => {
    const { exit, out } = await site.run(['import', '-', '--provider', 'SUNW'], content);
    expect(out).toContain(words);
    expect(exit).toBe(1);
    expect(await site.offers()).toEqual([]);
  });
});

const HEADER =
  'TotalPrice,HolidayCountry,HolidayRegion,HolidayResort,HotelName,HotelIdentifierCode,DepartureDate,Duration,DepartureAirportCode_Outbound,DeeplinkUrl';
const csvRow = (code: string) =>
  `899.50,Spain,Costa Blanca,Benidorm,"Hotel ""Sol""",${code},2027-06-12,7,LGW,https://www.sunward.example/${code}`;

describe('with %s is rejected with an explanation', () => {
  it.each<[string, string, string]>([
    ['a header alone', `${HEADER}\n`, 'has a header but no rows'],
    ['no header', `${csvRow('A')}\n`, 'needs a mapping'],
    ['a missing column', HEADER.replace('Duration,', ''), 'no column named Duration'],
    ['semicolons', HEADER.replaceAll(',', ';'), 'not separated by commas'],
    ['semicolons between quotes', `"${HEADER.replaceAll(',', '";"')}"\n`, 'Line 1: the header'],
    [
      'a stray quote in the header',
      `${HEADER.replace('Resort', '"Resort')}\n${csvRow('A')}\n`,
      'Line 1: the header',
    ],
    [
      'half a last row',
      `${HEADER}\n${csvRow('A')}\n${csvRow('B').slice(0, 30)}`,
      'ends on line 3 without a newline, and that line has fewer cells',
    ],
    ['a column twice', `${HEADER},Duration\n`, 'has the column Duration twice'],
    [
      'a quote that never closes',
      `${HEADER}\n${csvRow('A')}\n"x,Spain\n${'899,Spain\n'.repeat(4)}`,
      'Line 3: the row that begins here',
    ],
    ['a record without end', `${HEADER}\n"${'x'.repeat(3_000_000)}`, 'Line 2: the row that begins here'],
  ])('with %s is refused with an explanation', async (_what, content, words) => {
    const before = await site.everything();
    const { exit, out } = await site.run(['import', '-', '--provider', 'SUNW'], content);
    expect(out).toContain(words);
    expect(exit).toBe(1);
    expect(await site.everything()).toEqual(before);
  });

  it('may have invalid UTF-8 in columns that are not read', async () => {
    const content = Buffer.concat([
      Buffer.from(`${HEADER},Note\n${csvRow('A')},Caf`),
      Buffer.from([0xc3]),
      Buffer.from(`\n${csvRow('B').replace('Hotel ', 'Caf')},\n`.replace('Caf', 'Caf\u00E9'), 'latin1'),
      Buffer.from(`${csvRow('C')},\n${csvRow('D')},\n${csvRow('E')},   `),
    ]);
    const { exit, out } = await site.run(['import', '-', '--provider', 'SUNW'], content);
    expect(out).toContain('5 rows, 1 refused; 4 packages.');
    expect(exit).toBe(0);
    expect(report().map(({ line, field, reason }) => [line, field, reason])).toEqual([
      [3, 'HotelName', 'is not UTF-8 text'],
    ]);
  });

  it('may have quotes, newlines in cells and a byte order mark, and loses only malformed rows', async () => {
    const good = Array.from({ length: 12 }, (_, index) => csvRow(`C${index}`));
    const lines = [
      `\uFEFF${HEADER},Note`,
      ...good.slice(0, 6).map((row) => `${row},"two\r\nlines, and ""quotes"""`),
      `${csvRow('SHORT')}`,
      `${csvRow('LONG')},a,b`,
      `${csvRow('QUOTE').replace('Spain', 'Sp"ain')},x`,
      `${csvRow('AFTER').replace('Spain', '"Spain"x')},x`,
      ...good.slice(6).map((row) => `${row},`),
    ];
    const { exit, out } = await site.run(
      ['import', '-', '--provider', 'SUNW', '--format', 'items-csv'],
      lines.join('\r\n'),
    );
    expect(out).toContain('16 rows, 4 refused; 12 packages.');
    expect(exit).toBe(0);
    expect(report().map(({ line }) => line)).toEqual([14, 15, 16, 17]);
    expect(await site.ask('select distinct name from hotel')).toEqual([['Hotel "Sol"']]);
  });
});

describe('A feed read by a mapping', () => {
  const EXAMPLES = join(import.meta.dirname, '../../docs/examples/feeds');

  // OF_NAME is in the mapping's order, OF_BLANK in the order of an item's fields.
  const OF_NAME = 'HotelName, HolidayResort, Duration, DepartureAirportCode_Outbound';
  const OF_BLANK = 'HolidayResort, HotelName, Duration, DepartureAirportCode_Outbound';

  it('reports each wrong cell once, with its column and the fields that are read from it', async () => {
    const feed = readFileSync(join(EXAMPLES, 'mapped.csv'), 'utf8')
      .replace('12/06/2027', '1/6/2027')
      .replace('1966.50', '£1966.50')
      .replace('"Villa Paloma, Alcudia - 4 nights from Gatwick"', 'Villa Paloma')
      .replace('"Villa Paloma, Alcudia - 7 nights from Manchester"', '')
      .replace('2096.25', '7.96');
    const words = ['import', '-', '--provider', 'BAYS', '--accept', '--mapping'];
    const { exit, out } = await site.run([...words, join(EXAMPLES, 'mapping.json')], feed);
    expect(exit).toBe(0);
    expect(
      report().map(({ line, field, column, value, reason }) => [line, field, column, value, reason]),
    ).toEqual([
      [2, 'DepartureDate', 'custom1', '1/6/2027', "is not a date in the mapping's form"],
      [4, 'TotalPrice', 'search_price', '£1966.50', "is not a number in the mapping's form"],
      [6, OF_NAME, 'product_name', 'Villa Paloma', "does not match the mapping's pattern"],
      [8, OF_BLANK, 'product_name', '', 'is missing'],
      [10, 'TotalPrice', 'search_price', '7.96', 'is not a plausible price for the party'],
    ]);
    expect(out).toContain(`1 x ${OF_BLANK} (column product_name) is missing: line 8\n`);
  });
});

describe('A packed feed', () => {
  const feed = ndjson(goodItems(3));

  it.each<[string, () => Uint8Array]>([
    ['gzip', () => gzipSync(feed)],
    ['gzip in two parts', () => Buffer.concat([gzipSync(feed.slice(0, 100)), gzipSync(feed.slice(100))])],
    ['gzip padded with zeros', () => Buffer.concat([gzipSync(feed), Buffer.alloc(400_000)])],
    ['zip', () => zipOf([['feed.ndjson', feed]])],
    [
      'zip with an archiver’s own files',
      () =>
        zipOf([
          ['__MACOSX/._feed', 'x'],
          ['a/._feed.ndjson', 'x'],
          ['a/', ''],
          ['a/feed.ndjson', feed],
        ]),
    ],
    [
      'zip with a description',
      () =>
        zipOf([
          ['feed.ndjson', feed],
          ['README.txt', 'x'],
          ['schema.xsd', 'x'],
        ]),
    ],
  ])('in %s is decompressed, whatever its name', async (_what, pack) => {
    const { exit, out } = await site.run(['import', site.file('feed.txt', pack()), '--provider', 'SUNW']);
    expect(out).toContain('3 packages.');
    expect(exit).toBe(0);
  });

  it.each<[string, () => Uint8Array, string]>([
    ['a gzip that is cut off', () => gzipSync(feed).subarray(0, 60), 'damaged or cut off'],
    ['a damaged gzip', () => Buffer.from(gzipSync(feed)).fill(7, 20, 40), 'damaged or cut off'],
    ['a gzip of a gzip', () => gzipSync(gzipSync(feed)), 'compressed twice'],
    [
      'a zip of two',
      () =>
        zipOf([
          ['a.csv', feed],
          ['b.csv', feed],
        ]),
      'more than one file (a.csv, b.csv)',
    ],
    ['an empty zip', () => zipOf([]), 'no file'],
    ['a zip that is cut off', () => zipOf([['a.csv', feed]]).subarray(0, 80), 'damaged or cut off'],
    ['a damaged zip', () => zipOf([['a.csv', feed]]).fill(7, 60, 80), 'damaged or cut off'],
    ['a zip with another checksum', () => zipOf([['a.csv', feed]], 1), 'damaged or cut off'],
  ])('that is %s is refused with an explanation', async (_what, pack, words) => {
    const before = await site.everything();
    const { exit, out } = await site.run(['import', site.file('feed.gz', pack()), '--provider', 'SUNW']);
    expect(out).toContain(words);
    expect(exit).toBe(1);
    expect(await site.everything()).toEqual(before);
  });
});

describe('The command', () => {
  it.each<[string[], number, string]>([
    [[], 0, "imports providers' feeds"],
    [['import'], 2, '--provider'],
    [['import', '--provider', 'SUNW'], 2, 'The source is missing'],
    [['import', 'x', 'y', '--provider', 'SUNW'], 2, 'Unexpected argument: y'],
    [['import', '-', '--provider', 'NONE'], 2, 'providers.json has no provider NONE (it has SUNW, '],
    [['import', '-', '--provider', 'SUNW', '--format', 'xml'], 2, 'items-json, items-csv, mapped-csv'],
    [['import', '-', '--provider', 'SUNW', '--force'], 2, '--force'],
    [['export'], 2, '--provider'],
    [['import', '/no/such/file', '--provider', 'SUNW'], 1, 'The feed cannot be read: ENOENT'],
    [['import', '/', '--provider', 'SUNW'], 1, 'The feed cannot be read: E'],
    [['import', 'https://feeds.example/a', '--provider', 'SUNW'], 1, 'FEED_HOSTS'],
    [['import', 'http://feeds.example/a', '--provider', 'SUNW'], 1, 'FEED_HOSTS'],
    [['import', '-', '--provider', 'SUNW', '--mapping', '/no/such/file'], 1, 'cannot be read'],
  ])('%j ends with %i', async (words, code, said) => {
    const { exit, out } = await site.run(words, ndjson([feedItem()]));
    expect(out).toContain(said);
    expect(exit).toBe(code);
  });

  it.runIf(existsSync('/dev/full'))(
    'changes nothing if the disk has no space for the report, and reports this',
    async () => {
      mkdirSync(join(site.folder, 'feed-reports'));
      symlinkSync('/dev/full', join(site.folder, 'feed-reports/SUNW-20261121T090000.jsonl'));
      const before = await site.everything();
      const rows = [...goodItems(9), feedItem({ TotalPrice: 1 })];
      const { exit, out } = await site.run(['import', '-', '--provider', 'SUNW'], ndjson(rows));
      expect(exit).toBe(1);
      expect(out).toContain('1 x TotalPrice is not a plausible price for the party: line 10 "1"');
      expect(out).toContain('nothing was changed: ENOSPC');
      expect(await site.everything()).toEqual(before);
    },
  );

  it.runIf(process.getuid?.() !== 0)('names a feed that it is not allowed to read', async () => {
    const path = site.file('feed.ndjson', ndjson([feedItem()]));
    chmodSync(path, 0);
    const { exit, out } = await site.run(['import', path, '--provider', 'SUNW']);
    expect([exit, out]).toEqual([1, expect.stringMatching(/^The feed cannot be read: EACCES.*feed\.ndjson/)]);
  });

  it('escapes control characters of a feed in its output', async () => {
    const feed = `${HEADER},\u001B[31mX,\u001B[31mX\n`;
    const { out } = await site.run(['import', '-', '--provider', 'SUNW'], feed);
    expect(out).toBe('The header has the column \\u{1b}[31mX twice.');
  });

  it.each([['status'], ['remove SUNW --yes'], ['check - --provider SUNW']])(
    '%s explains that the store cannot be opened',
    async (words) => {
      const { exit, out } = await site.run(words.split(' '), '', embeddedStore('/dev/null/nowhere'));
      expect(exit).toBe(1);
      expect(out).toMatch(/(?:cannot be read|failed; nothing was changed): .*\/dev\/null/);
    },
  );
});
