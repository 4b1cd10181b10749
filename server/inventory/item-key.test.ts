import { describe, expect, it } from 'vitest';
import { REFERENCE, smallOffers } from '../../tests/fixtures/small-inventory.ts';
import { wholeCatalogue } from '../../tests/fixtures/whole-catalogue.ts';
import { itemKeyOf, parseItemKey } from './item-key.ts';
import { offerCodes } from './offer-codes.ts';

const catalogue = wholeCatalogue(REFERENCE);

describe('item keys', () => {
  it('identify one offer each', async () => {
    const offers = smallOffers();
    const codesOf = offerCodes(catalogue);
    const keys = offers.map((offer) => itemKeyOf(codesOf(offer)));
    expect(new Set(keys).size).toBe(offers.length);
    expect(await Promise.all(keys.map((key) => parseItemKey(key, catalogue)))).toEqual(
      offers.map((offer) => offer.slice(0, 11)),
    );
  });

  it('support codes with a colon or a blank', async () => {
    const odd = wholeCatalogue({ ...REFERENCE, boards: [{ id: 1, code: 'A:I B%' }] });
    const key = [20_939, 7, 1, 1, 1, 1, 1, 1, 1, 1, 1] as const;
    const itemKey = itemKeyOf(offerCodes(odd)(key));
    expect(itemKey).toContain(':A%3AI%20B%25:');
    expect(await parseItemKey(itemKey, odd)).toEqual(key);
  });

  it('identify the provider’s own hotel, even if other providers share a hotel with its code', async () => {
    const [hotel] = REFERENCE.hotels;
    if (hotel === undefined) throw new Error('There is no hotel');
    const shared = { ...hotel, provider: null };
    const own = { ...hotel, id: 900, provider: 1 };
    const others = { ...hotel, id: 901, provider: 2 };
    const both = wholeCatalogue({ ...REFERENCE, hotels: [shared, others, own] });
    const key = [20_939, 7, 1, 1, 1, 1, 1, own.id, 1, 1, 1] as const;
    expect(await parseItemKey(itemKeyOf(offerCodes(both)(key)), both)).toEqual(key);
  });

  it.each([
    '',
    ':::::::',
    'SUN:H-1:LGW:2027-05-03:7:AI:DBL',
    'SUN:H-1:LGW:2027-05-03:7:AI:DBL:2-0-0:more',
    'SUN:H-1:LGW:2027-02-30:7:AI:DBL:2-0-0',
    'SUN:H-1:LGW:2027-05-03:seven:AI:DBL:2-0-0',
    'SUN:H-99:LGW:2027-05-03:7:AI:DBL:2-0-0',
    '%E0%A4%A:H-1:LGW:2027-05-03:7:AI:DBL:2-0-0',
  ])('are unknown: "%s"', async (key) => {
    expect(await parseItemKey(key, catalogue)).toBeNull();
  });
});
