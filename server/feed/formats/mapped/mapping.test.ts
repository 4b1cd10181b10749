import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FeedFault } from '../raw-row.ts';
import { type FeedMapping, parseMapping } from './mapping.ts';
import { rowMapper } from './row-mapper.ts';
import {
  dateReader,
  isDateForm,
  isPattern,
  type NumberForm,
  patternReader,
  readNumberForm,
} from './value-forms.ts';

const NEEDED = Object.fromEntries(
  [
    'TotalPrice',
    'HolidayCountry',
    'HolidayResort',
    'HotelName',
    'DepartureDate',
    'Duration',
    'DepartureAirportCode_Outbound',
  ].map((field) => [field, { column: field.toLowerCase() }]),
);

describe('a mapping file', () => {
  it.each<[string, unknown, string]>([
    ['no object', [], 'must be'],
    ['no fields', {}, 'fields must be'],
    ['an unknown field', { fields: { ...NEEDED, Hotel: { column: 'a' } } }, 'Hotel is unknown'],
    ['a missing field', { fields: { TotalPrice: { column: 'a' } } }, 'HolidayCountry'],
    [
      'an unknown step',
      { fields: { ...NEEDED, StarRating: { column: 'a', regex: 'x' } } },
      'regex must be removed',
    ],
    [
      'a column and a value',
      { fields: { ...NEEDED, StarRating: { column: 'a', value: 1 } } },
      'either a column or a value',
    ],
    ['neither', { fields: { ...NEEDED, StarRating: {} } }, 'either a column or a value'],
    [
      'two values in a pattern',
      { fields: { ...NEEDED, StarRating: { column: 'a', pattern: '{} {}' } } },
      'one {}',
    ],
    [
      'a date without a year',
      { fields: { ...NEEDED, Expiry: { column: 'a', date: 'DD/MM' } } },
      'DD/MM/YYYY',
    ],
    [
      'a number of another kind',
      { fields: { ...NEEDED, Duration: { column: 'a', number: '1' } } },
      '1,234.56',
    ],
    ['a wrong delimiter', { delimiter: ':', fields: NEEDED }, 'semicolon'],
    ['an unknown encoding', { encoding: 'latin-99', fields: NEEDED }, 'windows-1252'],
    [
      'a pair of a field without a split',
      { fields: { ...NEEDED, BoardBasis: { column: 'b', split: ',', pairedWith: 'Duration' } } },
      'a field with a split',
    ],
    [
      'the heading of a field without columns',
      { fields: { ...NEEDED, BoardBasis: { headingOf: 'TotalPrice' } } },
      'a field with columns',
    ],
  ])('with %s is refused with the place of the error', (_what, json, words) => {
    const parse = () => parseMapping(JSON.stringify(json), 'mapping.json');
    expect(parse).toThrow(words);
    expect(parse).toThrow(/^mapping\.json: /);
  });

  it('that is not JSON is refused', () => {
    expect(() => parseMapping('{', 'mapping.json')).toThrow(FeedFault);
  });
});

describe('a pattern', () => {
  it.each([
    ['* - {} nights*', 'Hotel Sol - 7 nights all in', '7'],
    ['{}', ' whole ', 'whole'],
    ['from {}', 'FROM Gatwick', 'Gatwick'],
    ['{}, *', 'Villa, Albir, Spain', 'Villa'],
    ['*, {}', 'Villa, Albir, Spain', 'Albir, Spain'],
    ['*|{}', 'Majorca|Spain', 'Spain'],
    ['{} star', '4 star', '4'],
    ['* - {} nights*', 'Hotel Sol, 7 nights', null],
    ['{} star', '4 stars', null],
    ['{}, * - * nights*', 'Club Nar, İçmeler - 7 nights, all in', 'Club Nar'],
    ['*, {} - * NIGHTS*', 'Club Nar, İçmeler - 7 nights, all in', 'İçmeler'],
    ['a{}a', 'a', null],
    ['a{}', 'a', null],
  ])('%s reads from %j: %j', (pattern, text, value) => {
    expect(isPattern(pattern)).toBe(true);
    expect(patternReader(pattern)(text)).toBe(value);
  });

  it('has one value and no adjacent placeholders', () => {
    for (const pattern of ['', '*', '{}{}', '*{}', '{}*', '{} and {}', '**{}'])
      expect(isPattern(pattern)).toBe(false);
  });

  it('extracts any value that was inserted', () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);
    fc.assert(
      fc.property(word, word, word, (before, value, after) => {
        expect(patternReader('* [{}] *')(`${before} [${value}] ${after}`)).toBe(value);
      }),
    );
  });
});

describe('a date form', () => {
  it.each([
    ['DD/MM/YYYY', '01/05/2027', '2027-05-01'],
    ['MM/DD/YYYY', '05/01/2027', '2027-05-01'],
    ['YYYYMMDD', '20270501', '2027-05-01'],
    ['DD.MM.YYYY HH:mm', '01.05.2027 06:30', '2027-05-01T06:30:00'],
    ['DD/MM/YYYY', '1/5/2027', null],
    ['DD/MM/YYYY', '2027-05-01', null],
    ['DD/MM/YYYY', '01/05/2027 ', '2027-05-01'],
    ['DD/MM/YYYY', '01/05/20277', null],
    ['D/M/YYYY', '1/5/2027', '2027-05-01'],
    ['D/M/YY', '01/05/27', '2027-05-01'],
    ['D MMM YYYY', '1 Sept 2027', '2027-09-01'],
    ['DD-MMM-YYYY', '01-MAY-2027', '2027-05-01'],
    ['MMMM Do, YYYY', 'May 22nd, 2027', '2027-05-22'],
    ['D MMMM YYYY H:mm', '1 May 2027 6:30', '2027-05-01T06:30:00'],
    ['D MMM YYYY', '1 Mai 2027', null],
    ['YYYY-MM-DD', '2027-06-11T23:00:00Z', '2027-06-11T23:00:00Z'],
    ['YYYY-MM-DD', '2027-06-11T23:00:00', null],
  ])('%s reads %j: %j', (form, text, value) => {
    expect(isDateForm(form)).toBe(true);
    expect(dateReader(form)(text)).toBe(value);
  });
  it('has a year, a month and a day', () => {
    for (const form of ['', 'DD/MM', 'YYYY-MM', 'YYYY-MM-DD mm', 'DD/DD/YYYY MM', 'YYYY-MM-DD HH:ss']) {
      expect(isDateForm(form)).toBe(false);
    }
  });
});

describe('a number form', () => {
  it.each<[NumberForm, string, string | null]>([
    ['1234.56', '1234.56', '1234.56'],
    ['1234.56', '1,234.56', null],
    ['1,234.56', '1,234.56', '1234.56'],
    ['1,234.56', '12,34.56', null],
    ['1,234.56', '1234.56', null],
    ['1234,56', '1234,56', '1234.56'],
    ['1.234,56', '1.234,56', '1234.56'],
    ['1.234,56', '1.234.56', null],
    ['1 234,56', '1\u00A0234,5', '1234.5'],
    ['1234.56', '£12', null],
    ['1234.56', '+1234.56', null],
    ['1,234.56', '+1,234.56', null],
    ['1234.56', '1e3', null],
  ])('%s reads %j: %j', (form, text, value) => {
    expect(readNumberForm(text, form)).toBe(value);
  });
});

type Row = Readonly<Record<string, string>>;

function every(mapping: FeedMapping, row: Row) {
  return rowMapper<Row>(mapping, (column) => (cells) => cells[column])(row);
}

function one(mapping: FeedMapping, row: Row) {
  const [item] = every(mapping, row);
  if (item === undefined) throw new Error('There is no item');
  return item;
}

function mappingOf(fields: Readonly<Record<string, unknown>>): FeedMapping {
  return parseMapping(JSON.stringify({ fields: { ...NEEDED, ...fields } }), 'm');
}

describe('a row by a mapping', () => {
  const mapping = parseMapping(
    JSON.stringify({
      fields: {
        ...NEEDED,
        BoardBasis: { column: 'board', values: { 'All Inclusive': 'AI', 3: 'HB' } },
        NumberOfAdults: { value: 2 },
        TotalPrice: { column: 'each', number: '1,234.56', times: 2 },
        StarRating: { column: 'stars', default: 3 },
      },
    }),
    'm',
  );
  const read = (row: Record<string, string>) => one(mapping, row);

  it('has each field after its steps', () => {
    expect(read({ board: ' all inclusive', each: '1,299.35', stars: ' ' })).toEqual({
      fields: { BoardBasis: 'AI', NumberOfAdults: '2', TotalPrice: '2598.7', StarRating: '3' },
      problems: [],
    });
  });

  it('reports the field that a step could not read', () => {
    const { fields, problems } = read({ board: 'Full', each: '12.' });
    expect(fields).toEqual({ NumberOfAdults: '2', StarRating: '3' });
    expect(problems.map(({ field, value }) => `${field} ${String(value)}`)).toEqual(
      expect.arrayContaining(['BoardBasis Full', 'TotalPrice 12.']),
    );
  });

  it('multiplies only numbers in digits', () => {
    const mapped = parseMapping(
      JSON.stringify({ fields: { ...NEEDED, TotalPrice: { column: 'each', times: 2 } } }),
      'm',
    );
    const twice = (each: string) => one(mapped, { each });
    expect(twice(' 1299.35 ').fields.TotalPrice).toBe('2598.7');
    for (const each of ['+1299.35', '1e3', '0x10', '1 299.35'])
      expect(
        twice(each).problems.map(({ reason }) => reason),
        each,
      ).toEqual(['cannot be multiplied: it and what it is multiplied by must be numbers']);
  });

  it('leaves out a field whose column is missing', () => {
    expect(read({ Board: 'All Inclusive', length: 'All Inclusive' }).fields.BoardBasis).toBeUndefined();
  });

  it('has the nights between two dates where its duration is blank', () => {
    const { DepartureDate, ReturnDate } = {
      DepartureDate: { column: 'from' },
      ReturnDate: { column: 'to', date: 'D MMM YYYY' },
    };
    const mapped = mappingOf({ DepartureDate, ReturnDate });
    expect(one(mapped, { from: '2027-03-25', to: '1 Apr 2027' }).fields.Duration).toBe(7);
    expect(one(mapped, { from: '2027-03-25', to: '1 Apr 2027', duration: '10' }).fields.Duration).toBe('10');
    expect(one(mapped, { from: '2027-03-25', to: '1.4.2027' }).problems).toMatchObject([
      { field: 'ReturnDate' },
    ]);
  });

  it('multiplies by a column', () => {
    const mapped = mappingOf({ TotalPrice: { column: 'each', times: { column: 'heads' } } });
    expect(one(mapped, { each: '449.50', heads: '4' }).fields.TotalPrice).toBe('1798');
    expect(one(mapped, { each: '449.50' }).problems).toMatchObject([
      {
        field: 'TotalPrice',
        reason: 'cannot be multiplied: it and what it is multiplied by must be numbers',
      },
    ]);
  });

  it('is one item for each part of a split column', () => {
    const mapped = mappingOf({
      DepartureAirportCode_Outbound: {
        column: 'from',
        split: ',',
        values: { LGW: 'LGW', Manchester: 'MAN' },
      },
    });
    const airports = every(mapped, { from: 'LGW, Manchester,LGW,' }).map(
      ({ fields }) => fields.DepartureAirportCode_Outbound,
    );
    expect(airports).toEqual(['LGW', 'MAN']);
  });

  it('has its entities decoded, but not the parameters of a link', () => {
    const mapped = mappingOf({ DeeplinkUrl: { column: 'link' } });
    const { fields } = one(mapped, {
      hotelname: 'Meli&aacute; Beach &amp; Spa &amp;eacute; R&D',
      link: 'https://a.example/?a=1&amp;copy;=2&lt=3',
    });
    expect(fields.HotelName).toBe('Meliá Beach & Spa é R&D');
    expect(fields.DeeplinkUrl).toBe('https://a.example/?a=1&copy;=2&lt=3');
  });
});
