import { foldText } from '../../domain/fold-text.ts';
import type { RecordLookUps } from '../inventory/catalogue.ts';
import { isFreeChildRoom } from '../inventory/free-child-room.ts';
import { shownMinute } from '../inventory/local-time.ts';
import { memoizeAll } from '../lib/memoize.ts';
import type { FacetName, Narrowing } from './package-repository.ts';

/** What is read of each offer that a narrowed search looks at. */
export const FACT_COLUMNS = [
  'hotel',
  'price',
  'board',
  'room',
  'airport',
  'provider',
  'half_stars',
  'outbound_flight',
  'inbound_flight',
  'luggage',
] as const;

/** The values of these columns, the rank if it is not the price, and the day if there are several. */
export type OfferFacts = readonly number[];

/** The index of columns in `OfferFacts`. */
export const FACT = { hotel: 0, price: 1, room: 3, outbound: 7, inbound: 8, rank: 10, day: 11 } as const;

type FactColumn = (typeof FACT_COLUMNS)[number];

type Option = number | string;

/** A filter on the value of one column. */
interface Definition {
  column: FactColumn;
  /** Null: the filter is not in use. */
  passes: ((value: number) => boolean) | null;
  /** The options that have the value. Of levels the highest comes first: what has it has the others too. */
  options?: (value: number) => readonly Option[];
}

/** The levels that facets have, beside a chosen one. */
const HALF_STARS = [2, 3, 4, 5, 6, 7, 8, 9, 10];
const GUEST_RATINGS = [5, 6, 7, 8, 9];

/** Times of day are counted by six hours. */
export const MINUTES_OF_FACET = 360;

export type FilterName = FacetName | 'prices' | 'hotelName';

/** Every filter of a narrowing. A new one needs its line here and in `toNarrowing`. */
function definitionsOf(
  chosen: Narrowing,
  { hotels, flights, rooms }: RecordLookUps,
): Readonly<Record<FilterName, Definition>> {
  const itself = (value: number) => value;
  const airline = (id: number) => flights.get(id)?.airline ?? '';
  const rating = (id: number) => hotels.get(id)?.consumerRating ?? null;
  const name = (id: number) => foldText(hotels.get(id)?.name ?? '');
  const minute = (id: number) => {
    const departure = flights.get(id)?.departureMinute ?? null;
    return departure === null ? null : shownMinute(departure) % 1_440;
  };
  const { prices, hotelName } = chosen;
  return {
    prices: { column: 'price', passes: prices && ((price) => price >= prices[0] && price <= prices[1]) },
    boards: oneOf('board', chosen.boards, itself),
    airports: oneOf('airport', chosen.airports, itself),
    providers: oneOf('provider', chosen.providers, itself),
    airlines: oneOf('outbound_flight', chosen.airlines, airline),
    stars: atLeast('half_stars', chosen.minHalfStars, HALF_STARS, itself),
    guestRatings: atLeast('hotel', chosen.minGuestRating, GUEST_RATINGS, rating),
    outboundTimes: during('outbound_flight', chosen.outbound, minute),
    inboundTimes: during('inbound_flight', chosen.inbound, minute),
    bags: having('luggage', chosen.hasBags, (pieces) => pieces > 0),
    freeChild: having('room', chosen.hasFreeChild, (id) => isFreeChildRoom(rooms.get(id)?.code ?? '')),
    hotelName: { column: 'hotel', passes: hotelName === '' ? null : (id) => name(id).includes(hotelName) },
  };
}

function oneOf<T extends Option>(
  column: FactColumn,
  chosen: readonly T[] | null,
  optionOf: (value: number) => T,
): Definition {
  const options = chosen && new Set(chosen);
  return {
    column,
    passes: options && ((value) => options.has(optionOf(value))),
    options: (value) => [optionOf(value)],
  };
}

function atLeast(
  column: FactColumn,
  chosen: number | null,
  usual: readonly number[],
  levelOf: (value: number) => number | null,
): Definition {
  const levels = [...new Set(chosen === null ? usual : [...usual, chosen])].sort((one, other) => other - one);
  const level = (value: number) => levelOf(value) ?? Number.NEGATIVE_INFINITY;
  const upTo = memoizeAll((most) => levels.filter((one) => one <= most));
  return {
    column,
    passes: chosen === null ? null : (value) => level(value) >= chosen,
    options: (value) => upTo(level(value)),
  };
}

function during(
  column: FactColumn,
  window: readonly [number, number] | null,
  minuteOf: (value: number) => number | null,
): Definition {
  return {
    column,
    passes: window && ((value) => isWithin(minuteOf(value), window)),
    options: (value) => {
      const minute = minuteOf(value);
      return minute === null ? [] : [minute - (minute % MINUTES_OF_FACET)];
    },
  };
}

function having(column: FactColumn, isRequired: boolean, has: (value: number) => boolean): Definition {
  return { column, passes: isRequired ? has : null, options: (value) => (has(value) ? [1] : []) };
}

/** Whether a value is from the first to the second; if the first is the larger, on either side of them. */
function isWithin(value: number | null, [from, to]: readonly [number, number]): boolean {
  if (value === null) return false;
  return from <= to ? value >= from && value <= to : value >= from || value <= to;
}

/** A filter that remembers what it has found out about each value of its column. */
export interface Filter {
  column: FactColumn;
  passes(facts: OfferFacts): boolean;
  /** Counts an offer for its options. A unit, a hotel or an offer, counts once; its offers follow each other. */
  count(facts: OfferFacts, unit: number): void;
  counts(): [Option, number][];
  /** The values that pass, of those that it has been asked about. */
  passing(): number[];
}

interface Counted {
  lastUnit: number;
  count: number;
}

/** All filters of a narrowing, and those in use. Units are numbered from 1. */
export function filtersOf(
  chosen: Narrowing,
  records: RecordLookUps,
): { all: Readonly<Record<FilterName, Filter>>; inUse: Filter[] } {
  const definitions = definitionsOf(chosen, records);
  const names = Object.keys(definitions) as FilterName[];
  const all = Object.fromEntries(names.map((name) => [name, filterOf(definitions[name])]));
  return {
    all: all as Record<FilterName, Filter>,
    inUse: names.flatMap((name) => (definitions[name].passes === null ? [] : (all[name] ?? []))),
  };
}

function filterOf({ column, passes, options }: Definition): Filter {
  const at = FACT_COLUMNS.indexOf(column);
  const known = new Map<number, { isPassing: boolean; options: Counted[] }>();
  const counted = new Map<Option, Counted>();

  function countedOf(option: Option): Counted {
    const found = counted.get(option) ?? { lastUnit: 0, count: 0 };
    counted.set(option, found);
    return found;
  }
  function knownOf(facts: OfferFacts) {
    const value = facts[at] ?? 0;
    const found = known.get(value);
    if (found !== undefined) return found;
    const made = { isPassing: passes?.(value) ?? true, options: (options?.(value) ?? []).map(countedOf) };
    known.set(value, made);
    return made;
  }

  return {
    column,
    passes: (facts) => knownOf(facts).isPassing,
    count(facts, unit) {
      for (const option of knownOf(facts).options) {
        if (option.lastUnit === unit) return;
        option.lastUnit = unit;
        option.count += 1;
      }
    },
    counts: () => [...counted].flatMap(([option, { count }]) => (count === 0 ? [] : [[option, count]])),
    passing: () => [...known].flatMap(([value, { isPassing }]) => (isPassing ? [value] : [])),
  };
}
