import * as v from 'valibot';
import { type Catalogue, recordOf } from '../inventory/catalogue.ts';
import { toOfferFilters } from './package-query.ts';
import type { LowestPrice, PlaceLevel } from './package-repository.ts';
import { type CalendarPrice, calendarPrice } from './price-calendar.ts';
import { middleOf, type Position, type ResortPositions } from './resort-positions.ts';
import type { SearchCaller } from './search-caller.ts';
import { MOST_MONTHS } from './search-cost.ts';
import type { SearchOptions } from './search-packages.ts';
import { type BadInput, filtersSchema, parseArguments, TOO_WIDE, wholeNumber } from './search-request.ts';

/** A place with its lowest price. Names below the asked level are blank. */
export interface PlacePrice extends CalendarPrice {
  HolidayCountry: string;
  HolidayRegion: string;
  HolidayResort: string;
  /** Degrees: the mean of the positions of all its hotels; null if none is known. */
  Latitude: number | null;
  Longitude: number | null;
  /** The lowest price of each month of departure, in order. Months without a match are omitted. */
  Months: MonthPrice[];
}

export interface MonthPrice extends CalendarPrice {
  /** YYYY-MM. */
  Month: string;
}

/** Takes so many of the `MOST_MONTHS` of a request's fields. False: there are not as many left. */
export type TakeMonths = (months: number) => boolean;

export function monthsOfRequest(): TakeMonths {
  let left = MOST_MONTHS;
  return (months) => {
    left -= months;
    return left >= 0;
  };
}

/** Answers `explore` with its unchecked arguments (docs/contracts/graphql.md). */
export type Explore = (
  variables: unknown,
  caller?: SearchCaller,
  takeMonths?: TakeMonths,
) => Promise<{ kind: 'places'; places: PlacePrice[] } | BadInput>;

/** The levels of places on the wire. */
const LEVELS = { COUNTRY: 'country', REGION: 'region', RESORT: 'resort' } as const;

type Level = keyof typeof LEVELS;

const MOST_POUNDS = 100_000;

const exploreArguments = v.strictObject({
  filters: filtersSchema,
  level: v.nullish(v.picklist(['COUNTRY', 'REGION', 'RESORT']), 'REGION'),
  maxPricePerAdult: v.nullish(wholeNumber(1, MOST_POUNDS), null),
});

/** The cheapest places of the window, each with its lowest price and that of each month; the cheapest place first. */
export function explore(options: Pick<SearchOptions, 'repository' | 'brandCode' | 'now'>): Explore {
  const { repository, brandCode, now } = options;
  const middlesIn = memoizedMiddles();
  return async (variables, caller, takeMonths = monthsOfRequest()) => {
    const parsed = parseArguments(exploreArguments, variables);
    if (parsed.kind === 'bad-input') return parsed;
    const { filters, level, maxPricePerAdult } = parsed.request;
    const nowMs = now();
    const adults = filters.numberOfAdults;
    const per = LEVELS[level];
    const most = maxPricePerAdult === null ? null : maxPricePerAdult * 100 * adults;
    const found = await repository.lowestPrices((catalogue) => {
      const offers = toOfferFilters(filters, catalogue, { brandCode, nowMs });
      return offers && { ...offers, per, most };
    }, caller);
    if (found.isTooWide) return TOO_WIDE;
    if (!takeMonths(found.prices.length)) return TOO_WIDE;
    const positions = await repository.resortPositions(found.catalogue.version);
    const middle = middlesIn(positions, found.catalogue, level);
    return {
      kind: 'places',
      places: [...lowestOfPlaces(found.prices, per)]
        .map(([place, lowest]) => placePrice(lowest, found.catalogue, level, adults, middle(place)))
        .sort((one, other) => one.TotalPrice - other.TotalPrice || compareNames(one, other)),
    };
  };
}

/** The lowest price of a place, and that of each of its months, in order. */
interface LowestOfPlace {
  ofAll: LowestPrice;
  months: LowestPrice[];
}

/** The prices of months by place. In one pass and with few objects: there are thousands of prices. */
function lowestOfPlaces(prices: Iterable<LowestPrice>, per: PlaceLevel): Map<number, LowestOfPlace> {
  const places = new Map<number, LowestOfPlace>();
  for (const one of prices) {
    const known = places.get(one[per]);
    if (known === undefined) {
      places.set(one[per], { ofAll: one, months: [one] });
      continue;
    }
    // Of months with the same price, the first has it earliest.
    if (one.price < known.ofAll.price) known.ofAll = one;
    known.months.push(one);
  }
  return places;
}

function placePrice(
  { ofAll, months }: LowestOfPlace,
  catalogue: Catalogue,
  level: Level,
  adults: number,
  middle: Position | null,
): PlacePrice {
  const { country, region, resort } = ofAll;
  return {
    HolidayCountry: recordOf(catalogue.countries, country).name,
    HolidayRegion: level === 'COUNTRY' ? '' : recordOf(catalogue.regions, region).name,
    HolidayResort: level === 'RESORT' ? recordOf(catalogue.resorts, resort).name : '',
    Latitude: middle?.latitude ?? null,
    Longitude: middle?.longitude ?? null,
    ...calendarPrice(ofAll, adults),
    Months: months.map((lowest) => monthPrice(lowest, adults)),
  };
}

/** Finds the middle of a place of a level by its id. It has all hotels, so that it stays where it is as filters change. */
type MiddleOfPlace = (place: number) => Position | null;

/** The middles of places, worked out once for each state of the store: it has thousands of resorts. */
function memoizedMiddles() {
  const known = new WeakMap<ResortPositions, Map<Level, MiddleOfPlace>>();
  return (positions: ResortPositions, catalogue: Catalogue, level: Level): MiddleOfPlace => {
    const ofLevels = known.get(positions) ?? new Map<Level, MiddleOfPlace>();
    known.set(positions, ofLevels);
    const middle = ofLevels.get(level) ?? placeMiddles(catalogue, level, positions);
    ofLevels.set(level, middle);
    return middle;
  };
}

function placeMiddles(
  { resorts, regions }: Catalogue,
  level: Level,
  positions: ResortPositions,
): MiddleOfPlace {
  const placeOf = (resort: number): number | undefined => {
    if (level === 'RESORT') return resort;
    const region = resorts.get(resort)?.region;
    return level === 'REGION' || region === undefined ? region : regions.get(region)?.country;
  };
  const ofPlace = Map.groupBy(positions, ([resort]) => placeOf(resort));
  const middles = new Map<number, Position | null>();
  return (place) => {
    const known = middles.get(place);
    if (known !== undefined) return known;
    const middle = middleOf((ofPlace.get(place) ?? []).map(([, position]) => position));
    middles.set(place, middle);
    return middle;
  };
}

/** The fields are written out, not spread, because an answer has thousands of months. */
function monthPrice(lowest: LowestPrice, adults: number): MonthPrice {
  const { DepartureDate, TotalPrice, PricePerAdult, Duration } = calendarPrice(lowest, adults);
  const Month = DepartureDate.slice(0, 'YYYY-MM'.length);
  return { Month, DepartureDate, TotalPrice, PricePerAdult, Duration };
}

function compareNames(one: PlacePrice, other: PlacePrice): number {
  const nameOf = (place: PlacePrice) =>
    [place.HolidayCountry, place.HolidayRegion, place.HolidayResort].join('\n');
  return nameOf(one) < nameOf(other) ? -1 : 1;
}
