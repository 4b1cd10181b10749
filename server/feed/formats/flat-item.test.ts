import { describe, expect, it } from 'vitest';
import { type FlatField, readFlatItem } from './flat-item.ts';

const GOOD = {
  TotalPrice: '899.50',
  HolidayCountry: 'Spain',
  HolidayResort: 'Benidorm',
  HotelName: 'Hôtel  Sol',
  DepartureDate: '2027-06-12',
  Duration: 7,
  DepartureAirportCode_Outbound: 'lgw',
};

describe('a text about a hotel', () => {
  const read = (field: FlatField, value: unknown) => readFlatItem({ ...GOOD, [field]: value });

  it('is shown in one line, without markup, entities and hidden characters', () => {
    const hostile =
      '<p>Pools &amp; gardens</p>\n\t<script>alert(1)</script> &lt;b&gt;quiet&lt;/b&gt; lux\u00ADury\u202E\u0000 Z\u0301\u0301\u0301\u0301\u0301';
    expect(read('HotelDescription', hostile).item?.HotelDescription).toBe(
      'Pools & gardens alert(1) quiet luxury Ź\u0301\u0301',
    );
  });

  it('is cut between words', () => {
    const { HotelDescription: text = '' } = read('HotelDescription', 'sea view '.repeat(100_000)).item ?? {};
    expect(text.length).toBeLessThanOrEqual(1_201);
    expect(text).toMatch(/ (?:sea|view)…$/);
    expect(read('ChildPrices', '<!--'.repeat(200_000)).item?.ChildPrices?.length).toBeLessThan(400);
  });

  it('is a list, or separated by commas, semicolons, bars or lines', () => {
    const lists = [['Pool', '<i>Spa</i>', 'pool'], 'Pool, Spa', 'Pool|&lt;b&gt;Spa', 'Pool;Spa\nPOOL'];
    for (const list of lists)
      expect(read('HotelFacilities', list).item?.HotelFacilities?.toLowerCase()).toBe('pool\nspa');
    const many = Array.from({ length: 40 }, (_, nth) => `Pool ${nth} ${'long '.repeat(30)}`);
    const lines = read('HotelFacilities', many).item?.HotelFacilities?.split('\n') ?? [];
    expect(lines).toHaveLength(30);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(61);
  });

  it('that is too long is refused before its markup is searched', () => {
    const { problems } = read('HotelName', '<!--'.repeat(200_000));
    expect(problems).toEqual([
      { field: 'HotelName', value: expect.any(String), reason: 'is longer than 200 characters' },
    ]);
  });

  it.each([
    ['HotelDescription', 7, 'is not text in UTF-8'],
    ['HotelDescription', 'caf\uFFFD', 'is not text in UTF-8'],
    ['HotelFacilities', [{ name: 'Pool' }], 'is not a list of texts in UTF-8'],
    ['ChildPrices', true, 'is not text in UTF-8'],
    ['HoldBagKg', 640, 'is not 1 to 63 kilograms of a bag'],
    ['TransferIncluded', 'maybe', 'is not one of 0, 1, true, yes'],
  ] as const)('is refused with a reason: %s %j', (field, value, reason) => {
    expect(read(field, value).problems).toEqual([{ field, value, reason: expect.stringContaining(reason) }]);
  });
});

describe('a number', () => {
  /** Every number field, with a valid value. */
  const NUMBERS: [FlatField, string][] = [
    ['TotalPrice', '899'],
    ['TotalPriceBeforeDiscount', '899'],
    ['StarRating', '4'],
    ['ConsumerRating', '8'],
    ['Latitude', '38'],
    ['Longitude', '1'],
    ['Duration', '7'],
    ['RoomCount', '1'],
    ['NumberOfAdults', '2'],
    ['NumberOfChildren', '1'],
    ['NumberOfInfants', '1'],
    ['LuggageIncluded', '1'],
    ['HoldBagKg', '20'],
    ['FlightDuration_Outbound', '9000'],
    ['FlightDuration_Inbound', '9000'],
  ];
  const read = (field: FlatField, value: unknown) =>
    readFlatItem({ ...GOOD, [field]: value }).item?.[field] ?? null;

  it.each(NUMBERS)(
    'of %s is taken as digits, with spaces around them, in JSON also as a number',
    (field, digits) => {
      const number = Number(digits) * (field.startsWith('TotalPrice') ? 100 : 1);
      for (const value of [digits, ` ${digits}\u00A0`, `${digits}.0`, `0${digits}`, Number(digits)])
        expect(read(field, value), JSON.stringify(value)).toBe(number);
    },
  );

  it.each(NUMBERS)('of %s is refused in any other form', (field, digits) => {
    const forms = [
      `+${digits}`,
      `+ ${digits}`,
      `- ${digits}`,
      `--${digits}`,
      `${digits}e0`,
      `${digits}E+0`,
      `0x${digits}`,
      `0b1`,
      `${digits}.`,
      `.${digits}`,
      `${digits},0`,
      `${digits}.0.0`,
      `0 ${digits}`,
      `0\u00A0${digits}`,
      `0_${digits}`,
      `\u0661`,
      `\uFF11`,
      `${digits}n`,
      'Infinity',
      [Number(digits)],
    ];
    for (const value of forms) expect(read(field, value), JSON.stringify(value)).toBeNull();
  });

  it('may be negative where that has a meaning: south and west', () => {
    expect(['-38.5', -38.5, '-0', -0].map((value) => read('Latitude', value))).toEqual([-38.5, -38.5, 0, 0]);
    for (const [field, digits] of NUMBERS.filter(([name]) => !/tude$|^TotalPrice/.test(name)))
      expect(read(field, `-${digits}`), field).toBeNull();
  });

  it('of pounds has at most two decimals', () => {
    for (const value of ['899.5', '899.50', 899.5, 899.55]) expect(read('TotalPrice', value)).not.toBeNull();
    for (const value of ['899.500', '90.000', ' 90.000 ', '899.505', 899.505, 99.3001, '99.3001'])
      expect(read('TotalPrice', value), String(value)).toBeNull();
  });

  it('of pounds may have the rounding error of a sum', () => {
    for (const value of [99.30000000000001, '99.30000000000001', '99.29999999999998'])
      expect(read('TotalPrice', value), String(value)).toBe(9_930);
  });

  it('that is refused for its form has a reason that says so', () => {
    const reason = (value: string) => readFlatItem({ ...GOOD, Duration: value }).problems[0]?.reason;
    expect(reason('+7')).toBe('is not 1 to 60 nights, written in digits with at most one point');
    expect(reason('70')).toBe('is not 1 to 60 nights');
  });
});

it.each([
  ['H-1/Süd', null],
  ['a'.repeat(60), null],
  ['/'.repeat(60), null],
  ['海'.repeat(20), null],
  ['a'.repeat(61), 'is longer than 60 characters'],
  ['海'.repeat(21), 'has more than 180 characters when percent-encoded'],
])('accepts the code %s, or gives the reason', (code, trouble) => {
  expect(readFlatItem({ ...GOOD, HotelIdentifierCode: code }).problems[0]?.reason ?? null).toBe(trouble);
  expect(readFlatItem({ ...GOOD, HotelIdentifierCode: code }).item === null).toBe(trouble !== null);
});
