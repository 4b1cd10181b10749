import * as v from 'valibot';
import { fromDayNumber } from '../../domain/calendar-date.ts';
import { memoize } from '../lib/memoize.ts';
import { toOfferFilters } from './package-query.ts';
import type { LowestPrice, SearchCaller } from './package-repository.ts';
import type { SearchOptions } from './search-packages.ts';
import { type BadInput, filtersSchema, parseArguments, TOO_WIDE } from './search-request.ts';

export interface CalendarPrice {
  DepartureDate: string;
  /** Pounds for the party. */
  TotalPrice: number;
  PricePerAdult: number;
  /** The nights of the package with this price; the fewest if there are several. */
  Duration: number;
}

/** Answers `priceCalendar` with its unchecked arguments (docs/contracts/graphql.md). */
export type PriceCalendar = (
  variables: unknown,
  caller?: SearchCaller,
) => Promise<{ kind: 'prices'; prices: CalendarPrice[] } | BadInput>;

const calendarArguments = v.strictObject({ filters: filtersSchema });

/** The lowest price of each departure day with a match, in order. */
export function priceCalendar(
  options: Pick<SearchOptions, 'repository' | 'brandCode' | 'now'>,
): PriceCalendar {
  const { repository, brandCode, now } = options;
  return async (variables, caller) => {
    const parsed = parseArguments(calendarArguments, variables);
    if (parsed.kind === 'bad-input') return parsed;
    const { filters } = parsed.request;
    const nowMs = now();
    const found = await repository.lowestPrices((catalogue) => {
      const offers = toOfferFilters(filters, catalogue, { brandCode, nowMs });
      return offers && { ...offers, per: 'day', most: null };
    }, caller);
    if (found.isTooWide) return TOO_WIDE;
    const adults = filters.numberOfAdults;
    return { kind: 'prices', prices: Array.from(found.prices, (lowest) => calendarPrice(lowest, adults)) };
  };
}

/** Caches two years of days as text: responses repeat hundreds of them. */
const dateOf = memoize(800, fromDayNumber);

/** A price on the wire; the price per adult is rounded to pence. */
export function calendarPrice({ day, nights, price }: LowestPrice, adults: number): CalendarPrice {
  const PricePerAdult = Math.round(price / adults) / 100;
  return { DepartureDate: dateOf(day), TotalPrice: price / 100, PricePerAdult, Duration: nights };
}
