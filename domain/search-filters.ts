import type { Airport } from './airport.ts';
import { expandAirport } from './airport.ts';
import type { CalendarDate } from './calendar-date.ts';
import { addDays, parseCalendarDate } from './calendar-date.ts';
import type { DestinationTuple } from './destination.ts';
import { DEFAULT_DURATION } from './duration.ts';
import { type Flexibility, NO_FLEXIBILITY } from './flexibility.ts';
import { DEFAULT_PARTY, type Party } from './party.ts';

/** The parameters of a search. `duration` is in nights; null if missing. */
export interface SearchParameters {
  destination: DestinationTuple | string | null;
  departureAirport: Airport | null;
  date: CalendarDate | null;
  duration: number | null;
  /** Two adults by default (Section 9). */
  party?: Party;
  /** Exact by default. */
  flexibility?: Flexibility;
  boardBasis?: string;
  starRating?: string;
}

/** The filters of the search call (Section 7). Both dates are limits for the whole trip. */
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
  /** This field and the next two are only for servers that offer them. */
  maxDuration?: number;
  lastDeparture?: CalendarDate;
  places?: { country: string; region: string; resort: string }[];
}

/**
 * The filters of a search. Null without a destination, a departure airport or a date: the result is then
 * empty, without a request (Section 5). A region without airports counts as no airport.
 */
export function buildSearchFilters(parameters: SearchParameters, brand: string): PackageSearchFilters | null {
  const { departureAirport, duration, party = DEFAULT_PARTY, flexibility = NO_FLEXIBILITY } = parameters;
  const { days, maxNights, places } = flexibility;
  const destination = destinationTuple(parameters.destination ?? '');
  const [country, region, resort] = destination;
  const departureAirports = departureAirport === null ? [] : expandAirport(departureAirport);
  const date = parseCalendarDate(parameters.date ?? '');
  if (country + region + resort === '' || departureAirports.length === 0 || date === null) return null;

  const nights = isWholeAndPositive(duration) ? duration : DEFAULT_DURATION;
  const boardBasis = parameters.boardBasis?.trim() ?? '';
  const starRating = Number.parseInt(parameters.starRating ?? '', 10);
  return {
    brand,
    startDate: addDays(date, -days),
    endDate: addDays(date, days + (maxNights ?? nights)),
    departureAirports,
    numberOfAdults: party.adults,
    numberOfChildren: party.children,
    numberOfInfants: party.infants,
    duration: nights,
    ...(places.length > 0
      ? { places: [destination, ...places].map(([country, region, resort]) => ({ country, region, resort })) }
      : named(country, region, resort)),
    ...(maxNights !== null && { maxDuration: maxNights, lastDeparture: addDays(date, days) }),
    ...(boardBasis === '' ? {} : { boardBasis }),
    ...(Number.isNaN(starRating) ? {} : { starRating }),
  };
}

function named(country: string, region: string, resort: string) {
  return { ...(country && { country }), ...(region && { region }), ...(resort && { resort }) };
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
