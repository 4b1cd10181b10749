import { expandAirport } from '../../domain/airport.ts';
import { addDays, type CalendarDate, daysBetween } from '../../domain/calendar-date.ts';
import { DURATIONS } from '../../domain/duration.ts';
import type { World } from '../support/read-world.ts';

export interface SearchedWorld extends World {
  /** The last departure day on sale. */
  last: CalendarDate;
}

/** The variables of a random search: a place; an airport or a region of airports; a day; nights. */
export function anySearch(world: SearchedWorld, random: () => number): object {
  const pick = pickFrom(random);
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

export function pickFrom(random: () => number): <T>(all: readonly T[]) => T {
  return (all) => {
    const one = all[Math.floor(random() * all.length)];
    if (one === undefined) throw new Error('Cannot pick from an empty list');
    return one;
  };
}

/** Reproducible pseudo-random numbers in [0, 1). */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
