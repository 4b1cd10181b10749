import type { Airport } from './airport.ts';
import { expandAirport } from './airport.ts';
import type { CalendarDate } from './calendar-date.ts';
import { addDays, parseCalendarDate } from './calendar-date.ts';
import type { DestinationTuple } from './destination.ts';
import { DEFAULT_DURATION } from './duration.ts';
import { DEFAULT_PARTY, type Party } from './party.ts';

/** The parameters of a search. `duration` is in nights; null if missing. */
export interface SearchParameters {
  destination: DestinationTuple | string | null;
  departureAirport: Airport | null;
  date: CalendarDate | null;
  duration: number | null;
  /** Two adults by default (Section 9). */
  party?: Party;
  boardBasis?: string;
  starRating?: string;
}

/** The filters of the search call (Section 7). Both dates are limits for the whole trip (ruling 7). */
export interface PackageSearchFilters {
  brand: string;
  startDate: CalendarDate;
  endDate: CalendarDate;
  departureAirports: string[];
  numberOfAdults: number;
  numberOfChildren: number;
  numberOfInfants: number;
  duration: number;
  country?: string;
  region?: string;
  resort?: string;
  boardBasis?: string;
  starRating?: number;
}

/**
 * The filters of a search. Null without a destination, a departure airport or a date: the result is then
 * empty, without a request (Section 5). A region without airports counts as no airport.
 */
export function buildSearchFilters(parameters: SearchParameters, brand: string): PackageSearchFilters | null {
  const { departureAirport, duration, party = DEFAULT_PARTY } = parameters;
  const [country, region, resort] = destinationTuple(parameters.destination ?? '');
  const departureAirports = departureAirport === null ? [] : expandAirport(departureAirport);
  const startDate = parseCalendarDate(parameters.date ?? '');
  if (country + region + resort === '' || departureAirports.length === 0 || startDate === null) return null;

  const nights = isWholeAndPositive(duration) ? duration : DEFAULT_DURATION;
  const boardBasis = parameters.boardBasis?.trim() ?? '';
  const starRating = Number.parseInt(parameters.starRating ?? '', 10);
  return {
    brand,
    startDate,
    endDate: addDays(startDate, nights),
    departureAirports,
    numberOfAdults: party.adults,
    numberOfChildren: party.children,
    numberOfInfants: party.infants,
    duration: nights,
    ...(country === '' ? {} : { country }),
    ...(region === '' ? {} : { region }),
    ...(resort === '' ? {} : { resort }),
    ...(boardBasis === '' ? {} : { boardBasis }),
    ...(Number.isNaN(starRating) ? {} : { starRating }),
  };
}

/**
 * A destination from a tuple or from 'country,region,resort', trimmed, with blanks for missing levels. Any
 * further comma belongs to the resort.
 */
export function destinationTuple(destination: DestinationTuple | string): DestinationTuple {
  const parts = typeof destination === 'string' ? destination.split(',') : destination;
  const [country = '', region = '', ...resort] = parts;
  return [country.trim(), region.trim(), resort.join(',').trim()];
}

function isWholeAndPositive(value: number | null): value is number {
  return Number.isInteger(value) && Number(value) > 0;
}
