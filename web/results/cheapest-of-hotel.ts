import type { PackageHoliday } from '../../domain/package-holiday.ts';
import { type SearchResults, serverSort } from '../search/search-results.ts';

/** The server's orders in which each hotel's cheapest package comes first. */
const CHEAPEST_FIRST = ['PRICE_ASC', 'STAR_RATING_DESC', 'STAR_RATING_ASC', 'GUEST_RATING_DESC'];

/** Whether a package is known to be the cheapest of its hotel, of all that match the search. */
export function isCheapestOfHotel(
  { sortBy, facets, packages, keptAt }: SearchResults,
  { HotelDetails, ItemKey, PriceDetails, OtherProviders = [] }: PackageHoliday,
): boolean {
  const code = HotelDetails.HotelIdentifierCode;
  const first = packages.find((each) => each.HotelDetails.HotelIdentifierCode === code);
  return (
    // Responses are kept in any order.
    keptAt === undefined &&
    CHEAPEST_FIRST.includes(serverSort(sortBy, facets !== null)) &&
    // A server may send every package of a hotel.
    first?.ItemKey === ItemKey &&
    OtherProviders.every(({ TotalPrice }) => TotalPrice >= PriceDetails.TotalPrice)
  );
}
