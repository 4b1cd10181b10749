import type { CalendarDate } from '../../../domain/calendar-date.ts';
import type { Duration } from '../../../domain/duration.ts';

/** A departure day and the nights of the stay. */
export interface DayTrip {
  date: CalendarDate;
  nights: Duration;
}

/** How the plot and the table link to the search of a day. */
export interface TripLinks {
  /** The trip that the current results are for. */
  chosen: { date: CalendarDate; nights: Duration };
  url: (trip: DayTrip) => string;
  open: (trip: DayTrip) => void;
}
