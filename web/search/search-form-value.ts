import type { Airport } from '../../domain/airport.ts';
import type { CalendarDate } from '../../domain/calendar-date.ts';
import type { DestinationTuple } from '../../domain/destination.ts';
import type { Duration } from '../../domain/duration.ts';
import type { Flexibility } from '../../domain/flexibility.ts';
import type { Party } from '../../domain/party.ts';

/** The values of the search form; null for what is not chosen. */
export interface SearchFormValue {
  destination: { label: string; tuple: DestinationTuple } | null;
  departureAirport: Airport | null;
  date: CalendarDate | null;
  duration: Duration;
  party: Party;
  flexibility: Flexibility;
}
