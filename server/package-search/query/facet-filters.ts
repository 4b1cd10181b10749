import { boardBasisWords } from '../../../domain/board-basis.ts';
import {
  type Filter as Declared,
  FILTER_ENTRIES,
  type FilterKey,
  type Refinements,
} from '../../../domain/filters.ts';
import { foldText } from '../../../domain/fold-text.ts';
import { byHotelFact } from '../../../domain/hotel-facts.ts';
import type { Catalogue, RecordLookUps } from '../../inventory/catalogue.ts';
import { isFreeChildRoom } from '../../inventory/free-child-room.ts';
import { shownMinute } from '../../inventory/local-time.ts';
import { TOTAL_SQL } from '../../inventory/offer-charges.ts';

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

/** Times of day are counted in ranges of six hours. */
export const MINUTES_OF_FACET = 360;
const TIMES = [0, 1, 2, 3].map((nth) => nth * MINUTES_OF_FACET);

/** What a declared filter compares: the value of a column, or of the record that the column refers to. */
interface Comparable {
  column: FactColumn;
  /** Null: unknown. By default the column's own value. */
  of?: (value: number) => number | string | null;
  /** For filters by text: whether the value has it. */
  has?: (value: number, text: string) => boolean;
  /** The name of a code. */
  nameOf?: (code: string) => string | undefined;
}

/** All that filters compare, by the declarations' `of`. Facts about hotels have their own names. */
function comparablesOf({ hotels, flights, rooms }: RecordLookUps, catalogue: Catalogue) {
  const { boards, airports, providers, regions, resorts, sameHotels } = catalogue;
  const resortOf = (id: number) => resorts.get(hotels.get(id)?.resort ?? 0);
  const minute = (id: number) => {
    const departure = flights.get(id)?.departureMinute ?? null;
    return departure === null ? null : shownMinute(departure) % 1_440;
  };
  return {
    ...byHotelFact((fact): Comparable => ({ column: 'hotel', of: (id) => hotels.get(id)?.[fact] ?? null })),
    total: { column: TOTAL_SQL },
    region: { column: 'hotel', of: (id) => regions.get(resortOf(id)?.region ?? 0)?.name ?? '' },
    resort: { column: 'hotel', of: (id) => resortOf(id)?.name ?? '' },
    flightHours: {
      column: 'outbound_flight',
      of: (id) => {
        const seconds = flights.get(id)?.durationSeconds ?? null;
        return seconds === null ? null : seconds / 3_600;
      },
    },
    board: { column: 'board', of: (id) => boards.get(id)?.code ?? '', nameOf: boardBasisWords },
    airport: {
      column: 'airport',
      of: (id) => airports.get(id)?.code ?? '',
      nameOf: (code) => catalogue.airportsCoded(code)[0]?.name,
    },
    provider: {
      column: 'provider',
      of: (id) => providers.get(id)?.code ?? '',
      nameOf: (code) => catalogue.providersCoded(code)[0]?.name,
    },
    airline: { column: 'outbound_flight', of: (id) => flights.get(id)?.airline ?? '' },
    stars: { column: 'half_stars', of: (halfStars) => halfStars / 2 },
    outbound: { column: 'outbound_flight', of: minute },
    inbound: { column: 'inbound_flight', of: minute },
    bags: { column: 'luggage' },
    freeChild: { column: 'room', of: (id) => Number(isFreeChildRoom(rooms.get(id)?.code ?? '')) },
    hotelName: {
      column: 'hotel',
      has: (id, text) => foldText(hotels.get(id)?.name ?? '').includes(foldText(text)),
    },
    hotelCode: {
      column: 'hotel',
      has: (id, code) => (sameHotels.get(id) ?? [id]).some((same) => hotels.get(same)?.code === code),
    },
  } satisfies Record<string, Comparable>;
}

export type Filters = Record<FilterKey, Filter>;

/** The filters of a search, in use or not. */
export function filtersOf(refine: Refinements, records: RecordLookUps, catalogue: Catalogue): Filters {
  const comparables: Record<string, Comparable> = comparablesOf(records, catalogue);
  const made = FILTER_ENTRIES.map(([key, declared]) => {
    const { field, of = field } = declared;
    const comparable = comparables[of];
    if (comparable === undefined) throw new Error(`No filter compares ${of}`);
    return [key, filterOf(definitionOf(declared, refine, comparable), comparable)];
  });
  return Object.fromEntries(made) as Filters;
}

function definitionOf(declared: Declared, refine: Refinements, comparable: Comparable): Definition {
  const chosen = (end = '') => refine[`${declared.field}${end}` as keyof Refinements];
  const comparedOf = comparable.of ?? ((value: number) => value);
  switch (declared.kind) {
    case 'pounds':
      return between(chosen('From') as number | null, chosen('To') as number | null);
    case 'times': {
      const minuteOf = comparedOf as (value: number) => number | null;
      return during(chosen('From') as string | null, chosen('To') as string | null, minuteOf);
    }
    case 'codes':
    case 'names':
      return oneOf(chosen() as readonly string[], comparedOf as (value: number) => string);
    case 'flag':
      return having(chosen() as boolean, (value) => Number(comparedOf(value)) > 0);
    case 'text': {
      const text = chosen() as string;
      return { passes: text === '' ? null : (value) => comparable.has?.(value, text) === true };
    }
    case 'atLeast':
    case 'atMost':
      return within(declared, chosen() as number | null, comparedOf as (value: number) => number | null);
  }
}

function between(from: number | null, to: number | null): Definition {
  const least = Math.round((from ?? 0) * 100);
  const most = Math.round((to ?? Number.POSITIVE_INFINITY) * 100);
  return { passes: from === null && to === null ? null : (pence) => pence >= least && pence <= most };
}

function oneOf(chosen: readonly string[], optionOf: (value: number) => string): Definition {
  return {
    passes: chosen.length === 0 ? null : (value) => chosen.includes(optionOf(value)),
    options: (value) => [optionOf(value)],
    listed: chosen,
  };
}

/** A limit that values must reach or must not exceed. Unknown values never pass. */
function within(
  { kind, levels: usual }: Extract<Declared, { levels: readonly number[] }>,
  chosen: number | null,
  comparedOf: (value: number) => number | null,
): Definition {
  const listed = chosen === null ? [] : [chosen];
  const isPassing = (value: number, limit: number) => {
    const compared = comparedOf(value);
    return compared !== null && (kind === 'atLeast' ? compared >= limit : compared <= limit);
  };
  const strictestFirst = [...new Set([...usual, ...listed])].sort((one, other) =>
    kind === 'atLeast' ? other - one : one - other,
  );
  return {
    passes: chosen === null ? null : (value) => isPassing(value, chosen),
    options: (value) => strictestFirst.filter((limit) => isPassing(value, limit)),
    listed,
  };
}

/** A window whose end is before its start includes midnight. */
function during(
  from: string | null,
  to: string | null,
  minuteOf: (value: number) => number | null,
): Definition {
  const [first, last] = [minuteOfClock(from ?? '00:00'), minuteOfClock(to ?? '23:59')];
  function passes(value: number): boolean {
    const minute = minuteOf(value);
    if (minute === null) return false;
    return first <= last ? minute >= first && minute <= last : minute >= first || minute <= last;
  }
  return {
    passes: from === null && to === null ? null : passes,
    options: (value) => {
      const minute = minuteOf(value);
      return minute === null ? [] : [minute - (minute % MINUTES_OF_FACET)];
    },
    listed: TIMES,
  };
}

function minuteOfClock(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
}

function having(isRequired: boolean, has: (value: number) => boolean): Definition {
  return {
    passes: isRequired ? has : null,
    options: (value) => (has(value) ? [1] : []),
    listed: [1],
  };
}

interface Definition {
  /** Null: the filter is not in use. */
  passes: ((value: number) => boolean) | null;
  /** The options that a value counts for. For limits: all that it passes, the strictest first. */
  options?: (value: number) => readonly Option[];
  /** Options to list even if nothing has them. */
  listed?: readonly Option[];
}

export type Filter = ReturnType<typeof filterOf>;

/** A filter that remembers what it has found out about each value of its column. */
function filterOf({ passes, options = () => [], listed = [] }: Definition, { column, nameOf }: Comparable) {
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
    nameOf: (code: string) => nameOf?.(code) ?? code,
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
