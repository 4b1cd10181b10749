import { describe, expect, it } from 'vitest';
import { parseShownPackages } from './page-data.ts';

const GOOD = { ItemKey: 'a', hotel: { HotelName: 'Hotel A' }, additionalData: { TotalPrice: 500 } };

describe('parseShownPackages', () => {
  it('omits only malformed packages', () => {
    const packages = [null, 7, {}, { ItemKey: 12 }, GOOD, { ...GOOD, ItemKey: 'b', hotel: null }];
    expect([...parseShownPackages({ packages })]).toEqual([
      ['a', { hotel: 'Hotel A', price: 500, availability: null }],
      ['b', { hotel: '', price: 500, availability: null }],
    ]);
  });

  it('has no price if the published one is not a number', () => {
    const packages = [{ ...GOOD, additionalData: { TotalPrice: '500' } }];
    expect(parseShownPackages({ packages }).get('a')).toMatchObject({ hotel: 'Hotel A', price: null });
  });

  it('has what the provider has said since the search, and ignores words that it does not know', () => {
    const availabilityOf = (Availability: unknown) => {
      const packages = [{ ...GOOD, additionalData: { TotalPrice: 500, Availability } }];
      return parseShownPackages({ packages }).get('a');
    };
    expect(availabilityOf('sold out')).toEqual({ hotel: 'Hotel A', price: 500, availability: 'sold out' });
    expect(availabilityOf('maybe')).toEqual({ hotel: 'Hotel A', price: 500, availability: null });
  });

  it.each([undefined, null, 7, 'text', {}, { packages: 'all' }])('is empty for %j', (published) => {
    expect(parseShownPackages(published).size).toBe(0);
  });
});
