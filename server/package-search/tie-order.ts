import type { Catalogue } from '../inventory/catalogue.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import type { ReadCodes } from './record-codes.ts';

/**
 * Orders packages of equal rank by feeds' codes. Record ids depend on the order of imports, so that equal
 * stores would answer differently.
 */
export interface TieOrder {
  /** A text for each of these hotels, which orders hotels of equal rank. */
  hotelKeys(hotels: readonly number[]): Promise<ReadonlyMap<number, string>>;
  compareAirports(one: number, other: number): number;
  /**
   * The first offer of each group. A group is one hotel's offers of equal rank, never empty, ordered by key
   * with codes for the ids of airport, board, room and provider.
   */
  firstOfEach(groups: readonly (readonly OfferRow[])[]): Promise<OfferRow[]>;
  /** The sort keys of offers with equal rank, most important first. */
  placeOf(offer: OfferRow): Promise<(string | number)[]>;
}

/** An order by the codes of a catalogue. What it does not know yet comes first. */
export function tieOrder(catalogue: Catalogue, codes: ReadCodes): TieOrder {
  const codeIn = (dictionary: ReadonlyMap<number, { code: string }>) => (id: number) =>
    dictionary.get(id)?.code ?? '';
  const [airportOf, boardOf, providerOf] = [catalogue.airports, catalogue.boards, catalogue.providers].map(
    codeIn,
  ) as [CodeOf, CodeOf, CodeOf];
  const compareAirports = by(airportOf);
  const compareBoards = by(boardOf);
  const compareProviders = by(providerOf);

  return {
    hotelKeys: codes.hotelKeys,
    compareAirports,
    async firstOfEach(groups) {
      const tied = groups.filter(({ length }) => length > 1).flat();
      const rooms = await codes.roomCodes([...new Set(tied.map((offer) => offer[OFFER.room]))]);
      const compareRooms = by((id) => rooms.get(id) ?? '');

      function compare(one: OfferRow, other: OfferRow): number {
        return (
          compareColumns(one, other, OFFER.departureDay, OFFER.nights) ||
          // A hotel is in one resort, unless its provider has moved it.
          compareColumns(one, other, OFFER.country, OFFER.region, OFFER.resort) ||
          compareAirports(one[OFFER.airport], other[OFFER.airport]) ||
          compareBoards(one[OFFER.board], other[OFFER.board]) ||
          compareRooms(one[OFFER.room], other[OFFER.room]) ||
          compareProviders(one[OFFER.provider], other[OFFER.provider])
        );
      }
      return groups.map((group) => group.reduce((first, one) => (compare(one, first) < 0 ? one : first)));
    },
    async placeOf(offer) {
      const [day, nights, , country, region, resort, airport, hotel, board, room, provider] = offer;
      const [hotels, rooms] = await Promise.all([codes.hotelKeys([hotel]), codes.roomCodes([room])]);
      const [code = '', owner = ''] = (hotels.get(hotel) ?? '').split('\n');
      const inHotel = [airportOf(airport), boardOf(board), rooms.get(room) ?? '', providerOf(provider)];
      return [code, owner, day, nights, country, region, resort, ...inHotel];
    },
  };
}

type CodeOf = (id: number) => string;

function by(codeOf: CodeOf): (one: number, other: number) => number {
  return (one, other) => (one === other ? 0 : compareTexts(codeOf(one), codeOf(other)));
}

function compareColumns(
  one: OfferRow,
  other: OfferRow,
  ...columns: readonly (typeof OFFER)['departureDay' | 'nights' | 'country' | 'region' | 'resort'][]
): number {
  return columns.reduce<number>((difference, column) => difference || one[column] - other[column], 0);
}

/** By UTF-16 units, as `<` compares. */
export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
