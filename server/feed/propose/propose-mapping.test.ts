import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAirports } from '../../../domain/airport.ts';
import { parseDestinations } from '../../../domain/destination.ts';
import { proposeMapping } from './propose-mapping.ts';

const asset = (name: string) => readFileSync(join(import.meta.dirname, '../../../assets', name), 'utf8');
const LISTS = {
  airports: parseAirports(asset('departure-airports.csv')),
  destinations: parseDestinations(asset('locations.csv')),
  today: '2026-11-30',
};

const propose = (feed: string | Uint8Array) => proposeMapping(Buffer.from(feed), { isWhole: true, ...LISTS });
const fieldsOf = (feed: string) => propose(feed).mapping?.fields ?? {};

const HEADER = 'hotel,country,region,resort,from,date,nights,board,price,url';
const ROWS = [
  'Hotel Sol,Spain,Costa Blanca,Benidorm,LGW,12/06/2027,7,HB,"1,799.50",https://www.a.example/1',
  'Hotel Mar,Greece,Crete,Malia,MAN,13/06/2027,10,AI,899.00,https://www.a.example/2',
];

describe('A proposal', () => {
  it('has a column for each field, its form, the reason with examples, and the hosts of links', () => {
    const { mapping, reasons, missing, hosts } = propose(`${HEADER}\n${ROWS.join('\n')}\n`);
    expect(mapping).toEqual({
      fields: {
        HotelName: { column: 'hotel' },
        HolidayCountry: { column: 'country' },
        HolidayRegion: { column: 'region' },
        HolidayResort: { column: 'resort' },
        DepartureAirportCode_Outbound: { column: 'from' },
        DepartureDate: { column: 'date', date: 'DD/MM/YYYY' },
        Duration: { column: 'nights' },
        BoardBasis: { column: 'board' },
        TotalPrice: { column: 'price', number: '1,234.56' },
        DeeplinkUrl: { column: 'url' },
      },
    });
    expect([missing, hosts]).toEqual([[], ['www.a.example']]);
    expect(reasons).toContainEqual({
      what: 'DepartureDate',
      choice: 'column date',
      why: 'its name, and its days are written DD/MM/YYYY: 12/06/2027, 13/06/2027',
    });
  });

  it.each([
    [
      'encoding',
      Buffer.from(`${HEADER}\n${ROWS.join('\n')}\n`.replace('Mar', 'Pelícano'), 'latin1'),
      { encoding: 'windows-1252' },
    ],
    ['delimiter', 'a;b;c\n1;2;3\n', { delimiter: ';' }],
    ['separator line', 'sep=;\na;b;c\n1;2;3\n', {}],
    [
      'comments and a footer',
      '# made today\na,b,c\n1,2,3\n4,5,6\nTOTAL,2\n',
      { comment: '#', ignore: ['TOTAL*'] },
    ],
    ['title', 'Our offers\na,b,c\n1,2,3\n4,5,6\n', { skip: 1 }],
  ])('names the %s', (_what, feed, settings) => {
    const { fields: _fields, ...rest } = propose(feed).mapping ?? {};
    expect(rest).toEqual(settings);
  });

  it('tells columns without names by their values', () => {
    const { mapping, missing } = propose(`${ROWS.join('\n')}\n`);
    expect(missing).toEqual([]);
    expect(mapping).toMatchObject({
      header: false,
      fields: {
        HotelName: { column: 1 },
        HolidayResort: { column: 4 },
        DepartureAirportCode_Outbound: { column: 5 },
        Duration: { column: 7 },
        TotalPrice: { column: 9, number: '1,234.56' },
      },
    });
  });

  it('finds hotels with their offers in XML and JSON', () => {
    const offer = (nth: number) => `<o n="7" d="2027-06-1${nth}"><p c="GBP">799.50</p></o>`;
    const xml = `<r><h><name>Sol</name><os>${[1, 2, 3].map(offer).join('')}</os></h><h><name>Mar</name><os>${[4, 5, 6].map(offer).join('')}</os></h></r>`;
    expect(propose(xml).mapping).toMatchObject({
      rows: 'h',
      each: 'os/o',
      fields: { HotelName: { column: 'name' }, DepartureDate: { column: 'os/o/@d' } },
    });
    const hotel = { name: 'Sol', offers: [1, 2, 3].map((nth) => ({ price: 799.5, dep: `2027-06-1${nth}` })) };
    const expected = {
      each: 'offers',
      fields: { TotalPrice: { column: 'offers.price' }, DepartureDate: { column: 'offers.dep' } },
    };
    expect(propose(`${JSON.stringify(hotel)}\n${JSON.stringify(hotel)}\n`).mapping).toMatchObject(expected);
    expect(propose(JSON.stringify({ data: { hotels: [hotel, hotel] } })).mapping).toMatchObject({
      rows: 'data.hotels',
      ...expected,
    });
  });

  it('reads one price column per airport', () => {
    expect(
      fieldsOf('hotel,date,price_LGW,price_MAN\nSol,2027-06-12,799,\nMar,2027-06-13,,899\n'),
    ).toMatchObject({
      TotalPrice: { columns: ['price_LGW', 'price_MAN'] },
      DepartureAirportCode_Outbound: { headingOf: 'TotalPrice', pattern: 'price_{}' },
    });
  });

  it('gives codes for words, nights for days, and people for prices per person', () => {
    const feed =
      'airport,days,meal,price_pp,adults\nLondon Gatwick,8,Halbpension,399.50,2\nManchester,11,Halfway,499,2\n';
    expect(fieldsOf(feed)).toMatchObject({
      DepartureAirportCode_Outbound: { values: { 'London Gatwick': 'LGW', Manchester: 'MAN' } },
      Duration: { values: { 8: 7, 11: 10 } },
      BoardBasis: { values: { Halbpension: 'HB' }, otherwise: 'omit' },
      TotalPrice: { column: 'price_pp', times: { column: 'adults' } },
    });
  });

  it('has no mapping for items, and says what is missing', () => {
    expect(propose('TotalPrice,HolidayResort,DepartureDate\n1,Side,2027-06-12\n').mapping).toBeNull();
    expect(propose('a,b\n1,2\n3,4\n').missing).toContain('TotalPrice');
    expect(() => propose('hello')).toThrow('The sample has no columns');
  });
});
