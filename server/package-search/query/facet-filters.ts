import { foldText } from '../../../domain/fold-text.ts';
import type { Catalogue, RecordLookUps } from '../../inventory/catalogue.ts';
import { isFreeChildRoom } from '../../inventory/free-child-room.ts';
import { shownMinute } from '../../inventory/local-time.ts';
import { TOTAL_SQL } from '../../inventory/offer-charges.ts';
import { memoizeAll } from '../../lib/memoize.ts';
import type { Refinements } from './refinements.ts';

/** What a refined search reads from each offer. */
export const FACT_COLUMNS = [
  'hotel',
  TOTAL_SQL,
  'board',
  'room',
  'airport',
  'provider',
  'half_stars',
  'outbound_flight',
  'inbound_flight',
  'luggage',
] as const;

/** The values of `FACT_COLUMNS`, then the rank if it is not the price, then the day if the query has several. */
export type OfferFacts = readonly number[];

/** The index of columns in `OfferFacts`. */
export const FACT = {
  hotel: 0,
  price: 1,
  room: 3,
  provider: 5,
  outbound: 7,
  inbound: 8,
  rank: 10,
  day: 11,
} as const;

type FactColumn = (typeof FACT_COLUMNS)[number];

/** A code, a name, a least number, or the first minute of a time of day. */
type Option = number | string;

/** The levels that facets list, in addition to a chosen one. */
const STARS = [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5];
const GUEST_RATINGS = [5, 6, 7, 8, 9];

/** Times of day are counted in ranges of six hours. */
export const MINUTES_OF_FACET = 360;
const TIMES = [0, 1, 2, 3].map((nth) => nth * MINUTES_OF_FACET);

/** The filters of a search. A new one needs its line here, in `refinements.ts` and in `facets.ts`. */
export function filtersOf(
  refine: Refinements,
  { hotels, flights, rooms }: RecordLookUps,
  { boards, airports, providers, sameHotels }: Catalogue,
) {
  const rating = (id: number) => hotels.get(id)?.consumerRating ?? null;
  const minute = (id: number) => {
    const departure = flights.get(id)?.departureMinute ?? null;
    return departure === null ? null : shownMinute(departure) % 1_440;
  };
  const { priceFrom, priceTo } = refine;
  const from = Math.round((priceFrom ?? 0) * 100);
  const to = Math.round((priceTo ?? Number.POSITIVE_INFINITY) * 100);
  const part = foldText(refine.hotelName);
  const hasCode = (id: number) => hotels.get(id)?.code === refine.hotelCode;
  return {
    prices: filterOf({
      column: TOTAL_SQL,
      passes: priceFrom === null && priceTo === null ? null : (price) => price >= from && price <= to,
    }),
    boards: oneOf('board', refine.boards, (id) => boards.get(id)?.code ?? ''),
    airports: oneOf('airport', refine.airports, (id) => airports.get(id)?.code ?? ''),
    providers: oneOf('provider', refine.providers, (id) => providers.get(id)?.code ?? ''),
    airlines: oneOf('outbound_flight', refine.airlines, (id) => flights.get(id)?.airline ?? ''),
    stars: atLeast('half_stars', refine.minStars, STARS, (halfStars) => halfStars / 2),
    guestRatings: atLeast('hotel', refine.minGuestRating, GUEST_RATINGS, rating),
    outboundTimes: during('outbound_flight', refine.outboundFrom, refine.outboundTo, minute),
    inboundTimes: during('inbound_flight', refine.inboundFrom, refine.inboundTo, minute),
    bags: having('luggage', refine.bags, (pieces) => pieces > 0),
    freeChild: having('room', refine.freeChild, (id) => isFreeChildRoom(rooms.get(id)?.code ?? '')),
    hotelName: filterOf({
      column: 'hotel',
      passes: part === '' ? null : (id) => foldText(hotels.get(id)?.name ?? '').includes(part),
    }),
    hotelCode: filterOf({
      column: 'hotel',
      passes: refine.hotelCode === '' ? null : (id) => (sameHotels.get(id) ?? [id]).some(hasCode),
    }),
  };
}

export type Filters = ReturnType<typeof filtersOf>;

function oneOf(column: FactColumn, chosen: readonly string[], optionOf: (value: number) => string): Filter {
  return filterOf({
    column,
    passes: chosen.length === 0 ? null : (value) => chosen.includes(optionOf(value)),
    options: (value) => [optionOf(value)],
    listed: chosen,
  });
}

function atLeast(
  column: FactColumn,
  chosen: number | null,
  usual: readonly number[],
  levelOf: (value: number) => number | null,
): Filter {
  const listed = chosen === null ? [] : [chosen];
  const levels = [...new Set([...usual, ...listed])].sort((one, other) => other - one);
  const level = (value: number) => levelOf(value) ?? Number.NEGATIVE_INFINITY;
  const upTo = memoizeAll((max) => levels.filter((one) => one <= max));
  return filterOf({
    column,
    passes: chosen === null ? null : (value) => level(value) >= chosen,
    options: (value) => upTo(level(value)),
    listed,
  });
}

/** A window whose end is before its start includes midnight. */
function during(
  column: FactColumn,
  from: string | null,
  to: string | null,
  minuteOf: (value: number) => number | null,
): Filter {
  const [first, last] = [minuteOfClock(from ?? '00:00'), minuteOfClock(to ?? '23:59')];
  function passes(value: number): boolean {
    const minute = minuteOf(value);
    if (minute === null) return false;
    return first <= last ? minute >= first && minute <= last : minute >= first || minute <= last;
  }
  return filterOf({
    column,
    passes: from === null && to === null ? null : passes,
    options: (value) => {
      const minute = minuteOf(value);
      return minute === null ? [] : [minute - (minute % MINUTES_OF_FACET)];
    },
    listed: TIMES,
  });
}

function minuteOfClock(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
}

function having(column: FactColumn, isRequired: boolean, has: (value: number) => boolean): Filter {
  return filterOf({
    column,
    passes: isRequired ? has : null,
    options: (value) => (has(value) ? [1] : []),
    listed: [1],
  });
}

interface Definition {
  column: FactColumn;
  /** Null: the filter is not in use. */
  passes: ((value: number) => boolean) | null;
  /** The options that a value counts for. For levels: all up to the value, the highest first. */
  options?: (value: number) => readonly Option[];
  /** Options to list even if nothing has them. */
  listed?: readonly Option[];
}

export type Filter = ReturnType<typeof filterOf>;

/** A filter that remembers what it has found out about each value of its column. */
function filterOf({ column, passes, options = () => [], listed = [] }: Definition) {
  const at = FACT_COLUMNS.indexOf(column);
  const known = new Map<number, { isPassing: boolean; options: { lastUnit: number; count: number }[] }>();
  const counted = new Map(listed.map((option) => [option, { lastUnit: 0, count: 0 }]));

  function countedOf(option: Option) {
    const found = counted.get(option) ?? { lastUnit: 0, count: 0 };
    counted.set(option, found);
    return found;
  }
  function knownOf(facts: OfferFacts) {
    const value = facts[at] ?? 0;
    const found = known.get(value);
    if (found !== undefined) return found;
    const made = { isPassing: passes?.(value) ?? true, options: options(value).map(countedOf) };
    known.set(value, made);
    return made;
  }

  return {
    column,
    isInUse: passes !== null,
    passes: (facts: OfferFacts) => knownOf(facts).isPassing,
    /** Counts the offer's unit: its hotel or, without collapsing, the offer. Call it unit by unit. */
    count(facts: OfferFacts, unit: number): void {
      for (const option of knownOf(facts).options) {
        if (option.lastUnit === unit) return;
        option.lastUnit = unit;
        option.count += 1;
      }
    },
    counts: () =>
      [...counted].flatMap(([option, { count }]) =>
        count > 0 || listed.includes(option) ? [{ option, count }] : [],
      ),
    /** The values seen so far that pass. */
    passing: () => [...known].flatMap(([value, { isPassing }]) => (isPassing ? [value] : [])),
  };
}
