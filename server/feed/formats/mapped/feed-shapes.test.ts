import { describe, expect, it } from 'vitest';
import { chooseFormat } from '../feed-format.ts';
import { fingerprintOf } from '../fingerprint.ts';
import { readFlatItem } from '../flat-item.ts';
import { parseMapping } from './mapping.ts';

const PLACE = { HolidayCountry: { value: 'Spain' }, HolidayResort: { value: 'Benidorm' } };
const PLAIN = {
  ...PLACE,
  HotelName: { column: 'hotel' },
  DepartureAirportCode_Outbound: { column: 'from' },
  DepartureDate: { column: 'date' },
  Duration: { column: 'nights' },
  TotalPrice: { column: 'price' },
};

/** Reads a feed by a mapping: hotel, airport, day, nights and pounds of each package, or what was refused. */
async function read(mapping: object, feed: string): Promise<unknown[]> {
  const parsed = parseMapping(
    JSON.stringify({
      ...mapping,
      fields: { ...PLAIN, ...('fields' in mapping ? (mapping.fields as object) : {}) },
    }),
    'm',
  );
  const bytes = Buffer.from(feed);
  const format = chooseFormat(bytes, null, parsed);
  const found: unknown[] = [];
  // In small chunks, as from a slow source.
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
  }
  for await (const rows of format.read(chunks(), { sieve: fingerprintOf, onUnread: null })) {
    for (const row of rows) {
      if (row.kind === 'unreadable') found.push(row.reason);
      else {
        const { item, problems } = readFlatItem(row.fields);
        const [problem] = [...row.problems, ...problems];
        found.push(
          item === null || problem !== undefined
            ? `${problem?.field} ${problem?.reason}`
            : [
                item.HotelName,
                item.DepartureAirportCode_Outbound,
                item.DepartureDate,
                item.Duration,
                item.TotalPrice / 100,
              ],
        );
      }
    }
  }
  return found;
}

const SOL = ['Sol', 'LGW', '2027-06-12', 7, 799.5];
const MAR = ['Mar', 'MAN', '2027-06-13', 10, 899];

describe('a feed of hotels with their offers', () => {
  it('in XML is a package for each offer, with its hotel, whatever comes first', async () => {
    const xml = `<r><hotel id="1"><offers><offer nights="7"><go from="LGW" on="20270612"/><p>399.75</p></offer>
      <offer nights="10"><go from="MAN" on="20270613"/><p>449.50</p></offer></offers><name>Sol</name></hotel>
      <hotel id="2"><name>No offers</name><offers/></hotel></r>`;
    const fields = {
      HotelName: { column: 'name' },
      DepartureAirportCode_Outbound: { column: 'offers/offer/go/@from' },
      DepartureDate: { column: 'offers/offer/go/@on', date: 'YYYYMMDD' },
      Duration: { column: 'offers/offer/@nights' },
      TotalPrice: { column: 'offers/offer/p', times: 2 },
    };
    expect(await read({ rows: 'hotel', each: 'offers/offer', fields }, xml)).toEqual([
      SOL,
      ['Sol', 'MAN', '2027-06-13', 10, 899],
    ]);
  });

  it('may have offers in rooms, which have fields of their own', async () => {
    const xml = `<r><hotel><name>Sol</name><room b="LGW"><o n="7">799.50</o></room><room b="MAN"><o n="10">899</o><o n="14">999</o></room></hotel></r>`;
    const fields = {
      HotelName: { column: 'name' },
      DepartureAirportCode_Outbound: { column: 'room/@b' },
      DepartureDate: { value: '2027-06-12' },
      Duration: { column: 'room/o/@n' },
      TotalPrice: { column: 'room/o' },
    };
    expect(await read({ rows: 'hotel', each: 'room/o', fields }, xml)).toEqual([
      SOL,
      ['Sol', 'MAN', '2027-06-12', 10, 899],
      ['Sol', 'MAN', '2027-06-12', 14, 999],
    ]);
  });

  const line = (name: string, offers: object[]) => `${JSON.stringify({ hotel: { name }, offers })}\n`;
  const offer = { from: 'LGW', date: '2027-06-12', nights: 7, price: 799.5 };
  const fields = {
    HotelName: { column: 'hotel.name' },
    ...Object.fromEntries(
      Object.entries({
        DepartureAirportCode_Outbound: 'from',
        DepartureDate: 'date',
        Duration: 'nights',
        TotalPrice: 'price',
      }).map(([field, name]) => [field, { column: `offers.${name}` }]),
    ),
  };
  it('in JSON lines or an array is a package for each offer', async () => {
    const mar = { from: 'MAN', date: '2027-06-13', nights: 10, price: 899 };
    const lines = `${line('Sol', [offer])}${line('None', [])}${line('Mar', [mar, mar])}`;
    const mapping = { each: 'offers', fields };
    expect(await read(mapping, lines)).toEqual([SOL, MAR, MAR]);
    expect(await read(mapping, `[${lines.trim().replaceAll('\n', ',')}]`)).toEqual([SOL, MAR, MAR]);
  });

  it('in JSON lines that hold lists is read to the end', async () => {
    const lines = [1, 2].map(() => `${JSON.stringify({ data: [{ hotel: 'Sol', ...offer }] })}\n`).join('');
    expect(await read({ rows: 'data' }, lines)).toEqual([SOL, SOL]);
  });
});

describe('columns', () => {
  it('of several airports make a package each, unless they are blank', async () => {
    const wide = {
      DepartureAirportCode_Outbound: { headingOf: 'TotalPrice', pattern: 'price_{}' },
      TotalPrice: { columns: ['price_LGW', 'price_MAN', 'price_BHX'] },
    };
    const csv =
      'hotel,date,nights,price_LGW,price_MAN,price_BHX\nSol,2027-06-12,7,799.50,819,\nMar,2027-06-13,10,,,\n';
    expect(await read({ fields: wide }, csv)).toEqual([
      SOL,
      ['Sol', 'MAN', '2027-06-12', 7, 819],
      'TotalPrice is missing',
    ]);
  });

  it('are added to a price, each with its own steps, and a blank one needs a default', async () => {
    const TotalPrice = {
      column: 'price',
      number: '1.234,56',
      times: { column: 'adults' },
      plus: [{ column: 'child', times: { column: 'children' }, default: 0 }, { column: 'tax' }],
    };
    const csv = (row: string) =>
      `hotel;from;date;nights;price;adults;child;children;tax\nSol;LGW;2027-06-12;7;${row}\n`;
    const read1 = async (row: string) =>
      (await read({ delimiter: ';', fields: { TotalPrice } }, csv(row)))[0];
    expect(await read1('1.300,00;2;200,00;1;90,50')).toEqual(['Sol', 'LGW', '2027-06-12', 7, 2890.5]);
    expect(await read1('1.300,00;2;;0;90,50')).toEqual(['Sol', 'LGW', '2027-06-12', 7, 2690.5]);
    expect(await read1('1.300,00;2;;0;')).toContain('TotalPrice cannot be added to column tax');
  });

  it('of a date and a time are read as one', async () => {
    const fields = { DepartureDate: { column: ['date', 'time'], date: 'DD/MM/YYYY HH:mm' } };
    const csv = 'hotel,from,date,time,nights,price\nSol,LGW,12/06/2027,06:30,7,799.50\n';
    expect(await read({ fields }, csv)).toEqual([SOL]);
  });

  it('have numbers where there is no header, or its names are not unique', async () => {
    const numbers = {
      HotelName: { column: 1 },
      DepartureAirportCode_Outbound: { column: 2 },
      DepartureDate: { column: 3 },
      Duration: { column: 4 },
      TotalPrice: { column: 5 },
    };
    const rows = 'Sol,LGW,2027-06-12,7,799.50\nMar,MAN,2027-06-13,10,899\n';
    expect(await read({ header: false, fields: numbers }, rows)).toEqual([SOL, MAR]);
    expect(await read({ fields: numbers }, `a,a,a,a,a\n${rows}`)).toEqual([SOL, MAR]);
    await expect(
      read({ header: false, fields: { ...numbers, TotalPrice: { column: 6 } } }, rows),
    ).rejects.toThrow('no column 6');
    expect(await read({ fields: numbers }, JSON.stringify([['Sol', 'LGW', '2027-06-12', 7, 799.5]]))).toEqual(
      [SOL],
    );
  });
});

describe('the lines of a CSV', () => {
  const HEADER = 'hotel;from;date;nights;price';
  const ROW = 'Sol;LGW;2027-06-12;7;799.50';

  it.each(['\uFEFFsep=;\r\n', '"sep=;"\n', 'SEP=;\n'])(
    'may begin with Excel’s separator: %j',
    async (line) => {
      expect(await read({}, `${line}${HEADER}\n${ROW}\n`)).toEqual([SOL]);
    },
  );

  it('may be titles, comments and a footer, even without a newline at the end', async () => {
    const feed = `Offers of "today"\n\n${HEADER}\n# a "comment"\n${ROW}\nTOTAL;1`;
    const mapping = { delimiter: ';', skip: 1, comment: '#' };
    expect(await read({ ...mapping, ignore: ['TOTAL*'] }, feed)).toEqual([SOL]);
    await expect(read(mapping, feed)).rejects.toThrow('add a pattern of it to "ignore"');
  });
});

describe('values', () => {
  it('of two fields may be split, and of paired fields together', async () => {
    const split = { column: 'from', split: '/' };
    const csv = (from: string, date: string, price: string) =>
      `hotel,from,date,nights,price\nSol,${from},${date},7,${price}\n`;
    const fields = { DepartureAirportCode_Outbound: split, DepartureDate: { column: 'date', split: '|' } };
    const days = '2027-06-12|2027-06-19';
    expect(await read({ fields }, csv('LGW/MAN', days, '799.50'))).toEqual([
      SOL,
      ['Sol', 'LGW', '2027-06-19', 7, 799.5],
      ['Sol', 'MAN', '2027-06-12', 7, 799.5],
      ['Sol', 'MAN', '2027-06-19', 7, 799.5],
    ]);
    const paired = { ...fields, TotalPrice: { column: 'price', split: '|', pairedWith: 'DepartureDate' } };
    expect(await read({ fields: paired }, csv('LGW', days, '799.50|899'))).toEqual([
      SOL,
      ['Sol', 'LGW', '2027-06-19', 7, 899],
    ]);
    expect(await read({ fields: paired }, csv('LGW', days, '799.50'))).toEqual([
      expect.stringContaining('more or fewer parts'),
    ]);
    expect(await read({ fields }, csv('LGW/'.repeat(99), '2027-06-12', '799.50'))).toEqual([SOL]);
    const codes = Array.from({ length: 100 }, (_, nth) => nth);
    expect(await read({ fields }, csv(codes.join('/'), codes.join('|'), '1'))).toEqual([
      expect.stringContaining('more than 5000 packages'),
    ]);
  });

  it('may have optional parts', async () => {
    const fields = { HotelName: { column: 'hotel', pattern: ['{} (*)', '{}'] } };
    const row = (name: string) => `${name},LGW,2027-06-12,7,799.50\n`;
    expect(
      await read({ fields }, `hotel,from,date,nights,price\n${row('Sol (adults only)')}${row('Sol')}`),
    ).toEqual([SOL, SOL]);
  });

  it('that the mapping lacks are kept or omitted where it says so', async () => {
    const from = (otherwise?: string) => ({
      DepartureAirportCode_Outbound: { column: 'from', values: { Gatwick: 'LGW' }, otherwise },
    });
    const csv = 'hotel,from,date,nights,price\nSol,gatwick,2027-06-12,7,799.50\nMar,MAN,2027-06-13,10,899\n';
    expect(await read({ fields: from('keep') }, csv)).toEqual([SOL, MAR]);
    expect(await read({ fields: from('omit') }, csv)).toEqual([
      SOL,
      'DepartureAirportCode_Outbound is missing',
    ]);
    expect((await read({ fields: from() }, csv))[1]).toContain("is not one of the mapping's values");
  });

  it.each([
    ['excel', '46550'],
    ['excel', '46550,27'],
    ['epoch-days', '20981'],
    ['epoch-seconds', '1812780000'],
    ['epoch-milliseconds', '1812780000000'],
  ])('may be days as numbers: %s %s', async (date, text) => {
    const fields = { DepartureDate: { column: 'date', date } };
    expect(
      await read({ delimiter: ';', fields }, `hotel;from;date;nights;price\nSol;LGW;${text};7;799.50\n`),
    ).toEqual([SOL]);
  });

  it('that are no such days are refused', async () => {
    const fields = { DepartureDate: { column: 'date', date: 'excel' } };
    for (const text of ['46550000', '2027', 'x'])
      expect(
        (await read({ fields }, `hotel,from,date,nights,price\nSol,LGW,${text},7,799.50\n`))[0],
      ).toContain("is not a date in the mapping's form");
  });
});
