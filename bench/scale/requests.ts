import { addDays, type CalendarDate, daysBetween } from '../../domain/calendar-date.ts';
import type { Destination } from '../../domain/destination.ts';
import { DURATIONS } from '../../domain/duration.ts';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';
import { pickFrom } from '../search/any-search.ts';

export const SEARCH_KINDS = ['one day', 'four weeks', 'any day and length', 'calendar', 'explore'] as const;

export type SearchKind = (typeof SEARCH_KINDS)[number];

export interface SearchedWorld {
  destinations: readonly Destination[];
  airports: readonly string[];
  brand: string;
  first: CalendarDate;
  last: CalendarDate;
}

const CALENDAR = `query priceCalendar($filters: PackageSearchFilters!) {
  priceCalendar(filters: $filters) { DepartureDate TotalPrice PricePerAdult Duration } }`;

const EXPLORE = `query explore($filters: PackageSearchFilters!) {
  explore(filters: $filters) { HolidayCountry HolidayRegion TotalPrice PricePerAdult DepartureDate Duration
    Months { Month TotalPrice } } }`;

/** The body of a random request for a country, region or resort, from one airport or a group of four. */
export function anyRequest(kind: SearchKind, world: SearchedWorld, random: () => number): string {
  const pick = pickFrom(random);
  const { country, region, resort } = pick(world.destinations);
  const place = pick([{ country }, { country, region }, { country, region, resort }]);
  const departureAirports = Array.from({ length: pick([1, 4]) }, () => pick(world.airports));
  const duration = pick(DURATIONS);
  const days = daysBetween(world.first, world.last);
  const day = addDays(world.first, Math.floor(random() * days));
  const party = { brand: world.brand, departureAirports, numberOfAdults: 2 };
  const search = (filters: object) => {
    const variables = {
      filters: { ...party, ...place, ...filters },
      sortBy: 'PRICE_ASC',
      limit: 100,
      nextToken: null,
    };
    return JSON.stringify({ query: SEARCH_PACKAGES_QUERY, variables });
  };
  const whole = { startDate: world.first, endDate: addDays(world.last, 14) };
  switch (kind) {
    case 'one day':
      return search({ startDate: day, endDate: addDays(day, duration), duration });
    case 'four weeks':
      return search({ startDate: day, endDate: addDays(day, 27 + duration), duration });
    case 'any day and length':
      return search(whole);
    case 'calendar':
      return JSON.stringify({
        query: CALENDAR,
        variables: { filters: { ...party, ...place, ...whole, duration } },
      });
    case 'explore':
      return JSON.stringify({ query: EXPLORE, variables: { filters: { ...party, ...whole, duration } } });
  }
}
