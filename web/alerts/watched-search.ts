import type { CalendarDate } from '../../domain/calendar-date.ts';
import type { HolidaySearch } from '../../domain/search-address.ts';

/** A search that the visitor can watch. */
export interface WatchedSearch {
  search: HolidaySearch;
  /** The last day of departure, if it is not the search's own; else null. */
  until: CalendarDate | null;
  /** The lowest total now, in pounds; null: nothing is on sale. */
  lowest: number | null;
  /** The only hotel that the search is for; null: any. */
  hotelName: string | null;
  /** Whether the visitor has booked what the search finds. */
  isBooked: boolean;
}
