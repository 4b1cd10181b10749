import { expect, it } from 'vitest';
import { REFERENCE } from '../../../tests/fixtures/small-inventory.ts';
import { cachedCatalogue } from './cached-catalogue.ts';

const NOTHING = { hotels: [], flights: [], rooms: [] };

/** Rooms with descriptions of this length. */
function rooms(count: number, characters: number) {
  const description = 'x'.repeat(characters);
  return Array.from({ length: count }, (_, nth) => ({ id: nth + 1, code: `R${nth}`, description }));
}

it('caches many records with short texts, but fewer with long ones', () => {
  const short = cachedCatalogue('1', REFERENCE);
  short.add({ ...NOTHING, rooms: rooms(20_000, 20) });
  expect(short.rooms.get(1)).toBeDefined();
  const long = cachedCatalogue('1', REFERENCE);
  long.add({ ...NOTHING, rooms: rooms(20_000, 2_000) });
  expect(long.rooms.get(1)).toBeUndefined();
  expect(long.rooms.get(20_000)).toBeDefined();
});
