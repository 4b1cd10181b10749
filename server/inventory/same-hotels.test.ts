import { expect, it } from 'vitest';
import type { HotelRecord } from './inventory.ts';
import { findSameHotels } from './same-hotels.ts';

function record(id: number, provider: number | null, name: string, metres = 0): HotelRecord {
  const position = { latitude: 38.5 + metres / 111_195, longitude: -0.1 };
  return {
    id,
    code: `H${id}`,
    provider,
    describedBy: null,
    name,
    resort: 1,
    halfStars: 8,
    consumerRating: null,
    ...position,
  };
}
const groupsOf = (...hotels: HotelRecord[]) =>
  findSameHotels(hotels, { placesOf: () => ['Spain'], providerCode: (id) => `P${id ?? ''}` });

it('groups one hotel of three providers, in any order', async () => {
  const hotels = [
    record(3, 1, 'Hotel Sol Azul'),
    record(1, 2, 'Sol Azul', 100),
    record(2, null, 'Sol Azul', 200),
  ];
  expect(await groupsOf(...hotels, record(4, 1, 'Luna'))).toEqual([[1, 2, 3]]);
  expect(await groupsOf(...hotels.toReversed())).toEqual([[1, 2, 3]]);
});

it('leaves a hotel alone that could be either of two hotels of another provider', async () => {
  expect(
    await groupsOf(record(1, 1, 'Sol Azul'), record(2, 1, 'Hotel Sol Azul'), record(3, 2, 'Sol Azul')),
  ).toEqual([]);
});

it('leaves hotels alone whose ends are too far apart to be one', async () => {
  const chain = [record(1, 1, 'Sol Azul'), record(2, 2, 'Sol Azul', 250), record(3, 3, 'Sol Azul', 500)];
  expect(await groupsOf(...chain)).toEqual([]);
});
