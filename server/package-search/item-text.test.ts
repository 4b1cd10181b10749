import { expect, it } from 'vitest';
import { REFERENCE, smallOffers } from '../../tests/fixtures/small-inventory.ts';
import { wholeCatalogue } from '../inventory/catalogue.ts';
import { freeChildRoom } from '../inventory/free-child-room.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { itemTexts } from './item-text.ts';
import { priceTokens } from './price-token.ts';

const FREE = { id: 3, code: freeChildRoom('FAM'), description: 'Family room, one child free' };
const textOf = itemTexts(
  wholeCatalogue({ ...REFERENCE, rooms: [...REFERENCE.rooms, FREE] }),
  priceTokens(new Uint8Array(32)),
);

function itemIn(room: number, party: number): Record<string, unknown> {
  const offer = smallOffers()[0]?.with(OFFER.room, room).with(OFFER.party, party);
  return JSON.parse(textOf(offer as unknown as OfferRow, 0)) as Record<string, unknown>;
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
