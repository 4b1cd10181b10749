import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { FLAT_FIELDS, flatItem, readFlatItem } from './flat-item.ts';

const GOOD = {
  TotalPrice: '899.50',
  HolidayCountry: 'Spain',
  HolidayResort: 'Benidorm',
  HotelName: 'Hôtel  Sol',
  DepartureDate: '2027-06-12',
  Duration: 7,
  DepartureAirportCode_Outbound: 'lgw',
};

it('reads fields like the schema, and returns null if the schema refuses them', () => {
  const value = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      4.5,
      '7',
      'LGW',
      'TOM 123',
      'yes',
      ' ',
      '\u202e',
      'x'.repeat(3_000),
    ),
    fc.constantFrom(
      '2027-06-12T06:30:00+01:00',
      '2027-06-12',
      'GBP',
      'AI',
      '12.345',
      'https://www.a.example/',
    ),
    fc.anything(),
  );
  const changed = fc.dictionary(fc.constantFrom(...FLAT_FIELDS), value, { maxKeys: 6 });
  fc.assert(
    fc.property(changed, (fields) => {
      const all = { ...GOOD, ...fields };
      const { success, output } = v.safeParse(flatItem, all);
      expect(readFlatItem(all)).toEqual(success ? output : null);
    }),
    { numRuns: 2_000 },
  );
});
