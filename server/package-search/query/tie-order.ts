import type { Catalogue } from '../../inventory/catalogue.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { OFFER } from '../../inventory/offer-columns.ts';
import type { ReadCodes } from './record-codes.ts';

/**
 * Orders packages of equal rank by feeds' codes. By record ids, stores with the same packages would answer
 * differently, because ids depend on the order of imports.
 */
export interface TieOrder {
  /** A text for each of these hotels, which orders hotels of equal rank. */
  hotelKeys(hotels: readonly number[]): Promise<ReadonlyMap<number, string>>;
  compareAirports(one: number, other: number): number;
  /**
   * The first offer of each group. A group has one hotel's offers of equal rank, at least one. Orders them by
   * key, but by codes instead of ids for airport, board, room and provider.
   */
  firstOfEach(groups: readonly (readonly OfferRow[])[]): Promise<OfferRow[]>;
  /** The sort keys of offers with equal rank, most important first. */
  placeOf(offer: OfferRow): Promise<(string | number)[]>;
}

/** An order by the codes of a catalogue. Records that the catalogue does not know yet come first. */
export function tieOrder(catalogue: Catalogue, codes: ReadCodes): TieOrder {
  const airportOf = (id: number) => catalogue.airports.get(id)?.code ?? '';

  /** The sort keys of one hotel's offers. A hotel is in one resort, unless its provider has moved it. */
  function placeInHotel(offer: OfferRow, room = ''): (string | number)[] {
    return [
      offer[OFFER.departureDay],
      offer[OFFER.nights],
      offer[OFFER.country],
      offer[OFFER.region],
      offer[OFFER.resort],
      airportOf(offer[OFFER.airport]),
      catalogue.boards.get(offer[OFFER.board])?.code ?? '',
      room,
      catalogue.providers.get(offer[OFFER.provider])?.code ?? '',
    ];
  }

  return {
    hotelKeys: codes.hotelKeys,
    compareAirports: (one, other) => compareTexts(airportOf(one), airportOf(other)),
    async firstOfEach(groups) {
      const tied = groups.filter(({ length }) => length > 1).flat();
      const rooms = await codes.roomCodes([...new Set(tied.map((offer) => offer[OFFER.room]))]);
      const placeOf = (offer: OfferRow) => placeInHotel(offer, rooms.get(offer[OFFER.room]));
      return groups.map((group) =>
        group.reduce((first, one) => (isBefore(placeOf(one), placeOf(first)) ? one : first)),
      );
    },
    async placeOf(offer) {
      const [hotel, room] = [offer[OFFER.hotel], offer[OFFER.room]];
      const [hotels, rooms] = await Promise.all([codes.hotelKeys([hotel]), codes.roomCodes([room])]);
      const [code = '', owner = ''] = (hotels.get(hotel) ?? '').split('\n');
      return [code, owner, ...placeInHotel(offer, rooms.get(room))];
    },
  };
}

function isBefore(one: readonly (string | number)[], other: readonly (string | number)[]): boolean {
  const at = one.findIndex((key, nth) => key !== other[nth]);
  return at >= 0 && (one[at] ?? '') < (other[at] ?? '');
}

/** Compares by UTF-16 units, as `<` does. */
export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
