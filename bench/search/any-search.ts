import { type Airport, expandAirport } from '../../domain/airport.ts';
import { addDays, type CalendarDate, daysBetween } from '../../domain/calendar-date.ts';
import type { Destination } from '../../domain/destination.ts';
import { DURATIONS } from '../../domain/duration.ts';

export interface SearchedWorld {
  destinations: readonly Destination[];
  airports: readonly Airport[];
  brand: string;
  /** Departures on sale: the first day and the last. */
  first: CalendarDate;
  last: CalendarDate;
}

/** The variables of a search: a country, region or resort; an airport or a region of them; any day, any stay. */
export function anySearch(world: SearchedWorld, random: () => number): object {
  const pick = <T>(all: readonly T[]): T => {
    const one = all[Math.floor(random() * all.length)];
    if (one === undefined) throw new Error('There is nothing to pick from');
    return one;
  };
  const { country, region, resort } = pick(world.destinations);
  const place = pick([{ country }, { country, region }, { country, region, resort }]);
  const fromRegion = random() < 0.5;
  const departure = pick(world.airports.filter(({ isRegion }) => isRegion === fromRegion));
  const days = daysBetween(world.first, world.last) + 1;
  const startDate = addDays(world.first, Math.floor(random() * days));
  const duration = pick(DURATIONS);
  return {
    filters: {
      brand: world.brand,
      startDate,
      endDate: addDays(startDate, duration),
      departureAirports: expandAirport(departure),
      numberOfAdults: 2,
      numberOfChildren: 0,
      numberOfInfants: 0,
      duration,
      ...place,
    },
    sortBy: pick(['PRICE_ASC', 'PRICE_ASC', 'PRICE_DESC', 'DEPARTURE_DATE_ASC', 'STAR_RATING_DESC']),
    limit: 100,
    nextToken: null,
  };
}

/** Numbers in [0, 1), the same ones for the same seed. */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
