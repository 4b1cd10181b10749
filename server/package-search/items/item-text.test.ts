import { describe, expect, it } from 'vitest';
import type { ChargeRule } from '../../../domain/local-charges.ts';
import { SMALL_CHARGES } from '../../../tests/fixtures/small-charges.ts';
import { REFERENCE, smallOffers } from '../../../tests/fixtures/small-inventory.ts';
import { wholeCatalogue } from '../../../tests/fixtures/whole-catalogue.ts';
import { buildCatalogue } from '../../inventory/catalogue.ts';
import { freeChildRoom } from '../../inventory/free-child-room.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { offerOf } from '../../inventory/offer.ts';
import { statedCharge } from '../../inventory/offer-charges.ts';
import { OFFER } from '../../inventory/offer-columns.ts';
import { priceTokens } from '../tokens/price-token.ts';
import { itemTexts } from './item-text.ts';

const FREE = { id: 3, code: freeChildRoom('FAM'), description: 'Family room, one child free' };
const textOf = itemTexts(
  wholeCatalogue({ ...REFERENCE, rooms: [...REFERENCE.rooms, FREE] }),
  priceTokens(new Uint8Array(32)),
);

function itemIn(room: number, party: number): Record<string, unknown> {
  const offer = smallOffers()[0]?.with(OFFER.room, room).with(OFFER.party, party);
  return JSON.parse(textOf(offerOf(offer as unknown as OfferRow), 0)) as Record<string, unknown>;
}

it('has FreeChild only for a room with a free child place', () => {
  expect(itemIn(FREE.id, 2)).toMatchObject({
    FreeChild: true,
    RoomTypeDescription: FREE.description,
    NumberOfChildren: 1,
    Occupancy: '2-1-0',
  });
  expect(itemIn(1, 2)).toMatchObject({ FreeChild: false, NumberOfChildren: 1 });
  expect(itemIn(1, 1)).toMatchObject({ FreeChild: false, NumberOfChildren: 0 });
});

describe('the price of an item', () => {
  const table = {
    rules: [
      {
        ...SMALL_CHARGES.rules[0],
        country: 'Greece',
        stars: [0, 5],
        valid: ['2027-01-01', '2027-12-31'],
      } as ChargeRule,
    ],
    rates: SMALL_CHARGES.rates,
  };
  const names = { ...REFERENCE, charges: table };
  const byId = <T extends { id: number }>(records: readonly T[]) =>
    new Map(records.map((record) => [record.id, record]));
  const records = {
    hotels: byId(REFERENCE.hotels),
    flights: byId(REFERENCE.flights),
    rooms: byId(REFERENCE.rooms),
  };
  const catalogue = buildCatalogue(names, records);
  const text = itemTexts(catalogue, priceTokens(new Uint8Array(32)));
  const pricesIn = (country: number, changes: (offer: OfferRow) => unknown = (offer) => offer) => {
    const offer = smallOffers().find((one) => one[OFFER.country] === country && one[OFFER.nights] === 7);
    const charged = catalogue.charges.charged(changes(offer as OfferRow) as OfferRow);
    const item = JSON.parse(text(offerOf(charged), 0)) as { TotalPrice: number; AdditionalData: string };
    const { ProviderPrice, LocalCharges, LocalChargeParts } = JSON.parse(item.AdditionalData);
    return { provider: charged[OFFER.price] / 100, item, ProviderPrice, LocalCharges, LocalChargeParts };
  };

  it('is the provider’s price plus the charges at the resort, and the parts are listed', () => {
    // 11 euros, 2 adults and 5 nights at 1.10: 100 pounds
    const { provider, item, ...parts } = pricesIn(2);
    expect(item.TotalPrice).toBe(provider + 100);
    expect(parts).toEqual({
      ProviderPrice: provider,
      LocalCharges: 100,
      LocalChargeParts: [
        {
          Name: 'tourist tax',
          Pounds: 100,
          Currency: 'EUR',
          Amount: 110,
          PerPound: 1.1,
          RateDate: '2027-01-04',
        },
      ],
    });
  });

  it("has no charges if they are unknown, and the feed's charges if it states them", () => {
    const { provider, item, ...parts } = pricesIn(1);
    expect(item.TotalPrice).toBe(provider);
    expect(parts).toEqual({ ProviderPrice: provider, LocalCharges: null, LocalChargeParts: undefined });
    const stated = pricesIn(2, (offer) => offer.with(OFFER.localCharge, statedCharge(1_250)));
    expect(stated).toMatchObject({ LocalCharges: 12.5, LocalChargeParts: undefined });
    expect(stated.item.TotalPrice).toBe(stated.provider + 12.5);
  });
});
