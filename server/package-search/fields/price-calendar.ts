import { fromDayNumber } from '../../../domain/calendar-date.ts';
import { memoize } from '../../lib/memoize.ts';
import { toOfferFilters } from '../query/package-query.ts';
import type { LowestPrice, SearchCaller } from '../query/package-repository.ts';
import { type BadInput, type Parsed, TOO_WIDE } from '../query/search-request.ts';
import type { SearchOptions } from './search-packages.ts';

export interface CalendarPrice {
  DepartureDate: string;
  /** Pounds for the party. */
  TotalPrice: number;
  PricePerAdult: number;
  /** The nights of the package with this price; the fewest if there are several. */
  Duration: number;
}

/** Answers `priceCalendar` (docs/contracts/graphql.md). */
export type PriceCalendar = (
  parsed: Parsed<'priceCalendar'>,
  caller?: SearchCaller,
) => Promise<{ kind: 'prices'; prices: CalendarPrice[] } | BadInput>;

/** The lowest price of each departure day with a match, in order. */
export function priceCalendar(
  options: Pick<SearchOptions, 'repository' | 'brandCode' | 'now'>,
): PriceCalendar {
  const { repository, brandCode, now } = options;
  return async (parsed, caller) => {
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
