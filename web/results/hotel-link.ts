import { hotelPath } from '../../domain/hotel-path.ts';
import type { PackageHoliday } from '../../domain/package-holiday.ts';

/** The URL of the hotel's page for a search's query string, with this package. */
export function hotelLink({ HolidayCountry, HotelDetails, ItemKey }: PackageHoliday, query: string): string {
  const parameters = new URLSearchParams(query);
  parameters.set('holiday', ItemKey);
  const { HotelName, HotelIdentifierCode } = HotelDetails;
  return `${hotelPath(HolidayCountry, HotelName, HotelIdentifierCode)}?${parameters.toString()}`;
}
