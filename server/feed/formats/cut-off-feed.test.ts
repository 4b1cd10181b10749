import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAirports } from '../../../domain/airport.ts';
import { parseDestinations } from '../../../domain/destination.ts';
import { feedAirports } from '../feed-airports.ts';
import type { FeedPackage } from '../feed-package.ts';
import { placeFinder } from '../feed-places.ts';
import { parseProviders } from '../holiday-providers.ts';
import { readPackages } from '../read-packages.ts';
import { type FeedMapping, parseMapping } from './awin-csv/mapping.ts';
import { chooseFormat, type FormatName } from './feed-format.ts';
import { FeedFault } from './raw-row.ts';

const LISTS = join(import.meta.dirname, '../../../assets');
const EXAMPLES = join(import.meta.dirname, '../../../docs/examples/feeds');
const NOW = Date.UTC(2026, 10, 21, 9);

const providers = parseProviders(
  {
    providers: [
      { code: 'SUNW', name: 'Sunward', linkHosts: ['www.sunward.example', 'click.network.example'] },
    ],
  },
  'providers.json',
);
if (providers.kind === 'refused') throw new Error(providers.message);
const [provider] = providers.file.providers;
if (provider === undefined) throw new Error('There is no provider');
const context = {
  provider,
  airports: feedAirports(parseAirports(readFileSync(join(LISTS, 'departure-airports.csv'), 'utf8')), []),
  findPlace: placeFinder(parseDestinations(readFileSync(join(LISTS, 'locations.csv'), 'utf8'))),
  now: NOW,
};

interface Read {
  packages: FeedPackage[];
  refused: string[];
}

/** The packages and refused rows of a feed, or the message if the feed is refused. */
async function read(
  bytes: Uint8Array,
  format: FormatName,
  mapping: FeedMapping | null,
): Promise<Read | string> {
  const found: Read = { packages: [], refused: [] };
  const report = {
    remark() {},
    add(line: number, [problem]: readonly { field: string; reason: string }[]) {
      found.refused.push(`${line} ${problem?.field} ${problem?.reason}`);
    },
  };
  async function* chunks() {
    yield bytes;
  }
  try {
    const counts = { rows: 0, refused: 0, leftOut: 0 };
    const chosen = chooseFormat(bytes, format, mapping);
    for await (const batch of readPackages(chunks(), chosen, context, report, counts))
      found.packages.push(...batch);
    return found;
  } catch (error) {
    if (error instanceof FeedFault) return error.message;
    throw error;
  }
}

const NEEDED = {
  TotalPrice: '899.50',
  HolidayCountry: 'Spain',
  HolidayRegion: 'Costa Blanca',
  HolidayResort: 'Benidorm',
  HotelName: '"Hotel ""Sol"""',
  DepartureDate: '2027-06-12',
  Duration: '7',
  DepartureAirportCode_Outbound: 'LGW',
  DeeplinkUrl: 'https://www.sunward.example/1',
};

/** A CSV feed with these values in the last column, one per row. */
function csv(column: string, values: readonly string[], end: string): string {
  const others = Object.entries(NEEDED).filter(([name]) => name !== column);
  const header = [...others.map(([name]) => name), column].join(',');
  const rows = values.map((value) => [...others.map(([, cell]) => cell), value].join(','));
  return [header, ...rows].map((row) => `${row}${end}`).join('');
}

const times = (count: number, of: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => of(index));

/** The last column, its cells in all rows but the last, and the last cell, which differs from them. */
const LAST_CELLS: readonly [column: string, earlier: (index: number) => string, last: string][] = [
  ['TotalPrice', (index) => `${899 + index}.50`, '1234.50'],
  ['TotalPrice', (index) => `${899 + index}.50`, '"1234.55"'],
  ['TotalPrice', () => '899.5', '1234.55'],
  ['TotalPrice', (index) => String(700 + index), '12345'],
  ['TotalPrice', (index) => `"${700 + index}"`, '"12345"'],
  ['Duration', () => '7', '14'],
  ['Duration', () => '10', '14'],
  ['LuggageIncluded', () => '1', '10'],
  ['StarRating', () => '4', '4.5'],
  ['ConsumerRating', (index) => `8.${index % 10}`, '8.25'],
  ['NumberOfAdults', () => '1', '12'],
  ['BoardBasis', () => 'AI', 'HBX'],
  ['RoomTypeDescription', () => 'Double room', 'Double room with a view of the sea'],
  ['RoomTypeDescription', () => '', 'Suite'],
  ['RoomTypeDescription', () => '"Double room"', '"Room ""Sol"", with a balcony"'],
  ['RoomTypeDescription', () => 'Zimmer', 'Habitación doble café ☕'],
  ['HotelName', () => 'Hotel Sol', 'Hotel Sol de Levante'],
  ['HotelIdentifierCode', (index) => `H${index % 10}`, 'H10'],
  ['DeeplinkUrl', (index) => `https://www.sunward.example/${index % 10}`, 'https://www.sunward.example/1234'],
  ['DeeplinkUrl', () => '"https://www.sunward.example/1"', '"https://www.sunward.example/1234"'],
  ['DepartureDate', () => '2027-06-12', '2027-06-13'],
  ['DepartureDate', () => '2027-06-12T06:30:00', '2027-06-13T06:30:00'],
  ['Expiry', () => '2027-06-12T00:00:00Z', '2027-06-11T12:30:45Z'],
  ['DepartureAirportCode_Outbound', () => 'LGW', 'MAN'],
  ['FlightNumber_Outbound', () => 'SW10', 'SW1011'],
  ['ArrivalDateTime_Outbound', () => '2027-06-12T10:05:00+02:00', '2027-06-12T10:05:00+02:00'],
  ['AdditionalData', () => '{}', '"{""TotalPriceBeforeDiscount"": 12345.5}"'],
  ['Note', () => 'a note that nobody reads', 'another one'],
];

const CASES = LAST_CELLS.flatMap(([column, earlier, last]) =>
  [
    { count: 0, lineEnd: '\n' },
    { count: 3, lineEnd: '\r\n' },
    { count: 12, lineEnd: '\n' },
  ].map(({ count, lineEnd }) => ({ column, last, count, lineEnd, earlier: times(count, earlier) })),
);

/** Cuts a feed at every byte after `from`: each package left must equal the one in the complete feed. */
async function cutEverywhere(whole: Buffer, from: number, format: FormatName, mapping: FeedMapping | null) {
  const full = await read(whole, format, mapping);
  if (typeof full === 'string') throw new Error(full);
  const sold = new Map(full.packages.map((one) => [one.line, one]));
  const wrong: string[] = [];
  for (let end = from; end < whole.length; end += 1) {
    const cut = await read(whole.subarray(0, end), format, mapping);
    if (typeof cut === 'string') continue;
    for (const one of cut.packages) {
      if (JSON.stringify(one) !== JSON.stringify(sold.get(one.line))) {
        wrong.push(`...${whole.toString('utf8', Math.max(0, end - 20), end)}`);
      }
    }
  }
  return wrong;
}

describe('a feed that is cut off', () => {
  it.each(CASES)(
    'in CSV: $column ends with $last after $count rows',
    async ({ column, last, earlier, lineEnd }) => {
      const before = Buffer.byteLength(csv(column, earlier, lineEnd));
      const whole = Buffer.from(csv(column, [...earlier, last], lineEnd));
      expect(await cutEverywhere(whole, before, 'items-csv', null)).toEqual([]);
    },
  );

  it.each<[string, FormatName, string | null]>([
    ['items.csv', 'items-csv', null],
    ['items.ndjson', 'items-json', null],
    ['awin.csv', 'awin-csv', 'awin-mapping.json'],
  ])('never changes a package: %s, cut at every byte of its last rows', async (name, format, path) => {
    const parsed = path === null ? null : parseMapping(readFileSync(join(EXAMPLES, path), 'utf8'), path);
    if (parsed?.kind === 'refused') throw new Error(parsed.message);
    const whole = readFileSync(join(EXAMPLES, name));
    const asSunward = Buffer.from(whole.toString().replaceAll('"BAYS"', '"SUNW"'));
    const wrong = await cutEverywhere(asSunward, whole.length - 2_500, format, parsed?.mapping ?? null);
    expect(wrong).toEqual([]);
  });

  it('is refused if the rows before show that something is missing', async () => {
    const cells: [string, (index: number) => string, string][] = [
      ['TotalPrice', (index) => `${899 + index}.50`, '123'],
      ['TotalPrice', (index) => `"1,${100 + index}.50"`, '"1,234'],
      ['DeeplinkUrl', (index) => `https://www.sunward.example/${index}`, 'https://www.sun'],
      ['Expiry', () => '2027-06-12T00:00:00Z', '2027-06-12'],
      ['DepartureAirportCode_Outbound', () => 'LGW', 'MA'],
      ['HotelName', (index) => `Hotel ${index}`, ''],
      ['AdditionalData', () => '{}', '"{""TotalPriceBeforeDiscount"'],
      ['Note', () => '2026-11-20 06:00:00', '2026-11-2'],
    ];
    for (const [column, earlier, last] of cells) {
      const feed = csv(column, [...times(12, earlier), last], '\n').slice(0, -1);
      expect(await read(Buffer.from(feed), 'items-csv', null), `${column} ${last}`).toMatch(
        /^The feed ends in the middle of a row, on line 14|has an unclosed quote/,
      );
    }
  });

  it('is refused if it ends with half a line break', async () => {
    const feed = csv('Note', ['a', 'b'], '\r\n').slice(0, -1);
    expect(await read(Buffer.from(feed), 'items-csv', null)).toMatch(
      /^The feed ends in the middle of a row, on line 3/,
    );
    const [first = '', second = ''] = readFileSync(join(EXAMPLES, 'items.ndjson'), 'utf8').split('\n');
    const items = Buffer.from(`${first}\r\n${second}\r`);
    expect(await read(items, 'items-json', null)).toMatch(/^The feed ends in the middle of a row, on line 2/);
  });

  it('loses only its last row if that may be incomplete', async () => {
    const feed = csv(
      'DeeplinkUrl',
      times(12, (index) => `https://www.sunward.example/${index}`),
      '\n',
    );
    const read12 = await read(Buffer.from(feed.slice(0, -1)), 'items-csv', null);
    expect(read12).toMatchObject({
      refused: [
        '13 DeeplinkUrl may be cut off, because the feed does not end with a newline: the row was not imported',
      ],
    });
    expect(typeof read12 === 'string' ? 0 : read12.packages.length).toBe(11);
  });

  it('is not a feed that lacks only the final newline after a complete value', async () => {
    for (const [column, cells] of [
      ['TotalPrice', times(4, (index) => `${899 + index}.50`)],
      ['TotalPrice', ['"899"', '"1234"']],
      ['DeeplinkUrl', ['"https://www.sunward.example/1"', '"https://www.sunward.example/12"']],
      ['Expiry', times(4, () => '2027-06-12T00:00:00Z')],
      ['DepartureAirportCode_Outbound', times(4, () => 'LGW')],
      ['AdditionalData', ['{}', '{}']],
      ['Note', ['any', 'text', '']],
    ] as const) {
      const feed = csv(column, cells, '\r\n').slice(0, -2);
      expect(await read(Buffer.from(feed), 'items-csv', null), column).toMatchObject({ refused: [] });
    }
  });
});
