import { type Catalogue, recordOf } from '../../inventory/catalogue.ts';
import { memoizeAll } from '../../lib/memoize.ts';
import { toOfferFilters } from '../query/package-query.ts';
import type { LowestPrice, PlaceLevel, SearchCaller } from '../query/package-repository.ts';
import { middleOf, type Position, type ResortPositions } from '../query/resort-positions.ts';
import { MAX_MONTHS } from '../query/search-cost.ts';
import { type BadInput, type Parsed, TOO_WIDE } from '../query/search-request.ts';
import { type CalendarPrice, calendarPrice } from './price-calendar.ts';
import type { SearchOptions } from './search-packages.ts';

/** A place with its lowest price. Names below the requested level are blank. */
export interface PlacePrice extends CalendarPrice {
  HolidayCountry: string;
  HolidayRegion: string;
  HolidayResort: string;
  /** Degrees: the mean of the positions of all its hotels; null if none is known. */
  Latitude: number | null;
  Longitude: number | null;
  /** Each departure month's lowest price, in order, without months that have none. */
  Months: MonthPrice[];
}

export interface MonthPrice extends CalendarPrice {
  /** YYYY-MM. */
  Month: string;
}

/** Takes this many of the months that a request may return. False: too few are left. */
export type TakeMonths = (months: number) => boolean;

export function monthsOfRequest(): TakeMonths {
  let left = MAX_MONTHS;
  return (months) => {
    left -= months;
    return left >= 0;
  };
}

/** Answers `explore` (docs/contracts/graphql.md). */
export type Explore = (
  parsed: Parsed<'explore'>,
  caller?: SearchCaller,
  takeMonths?: TakeMonths,
) => Promise<{ kind: 'places'; places: PlacePrice[] } | BadInput>;

/** The levels of places on the wire. */
const LEVELS = { COUNTRY: 'country', REGION: 'region', RESORT: 'resort' } as const;

type Level = keyof typeof LEVELS;

/** The window's places with their lowest price overall and by month, cheapest first. */
export function explore(options: Pick<SearchOptions, 'repository' | 'brandCode' | 'now'>): Explore {
  const { repository, brandCode, now } = options;
  const middlesIn = memoizedMiddles();
  return async (parsed, caller, takeMonths = monthsOfRequest()) => {
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

interface LowestOfPlace {
  ofAll: LowestPrice;
  months: LowestPrice[];
}

/** Groups months' prices by place in one pass with few objects: there are thousands. */
function lowestOfPlaces(prices: Iterable<LowestPrice>, per: PlaceLevel): Map<number, LowestOfPlace> {
  const places = new Map<number, LowestOfPlace>();
  for (const one of prices) {
    const known = places.get(one[per]);
    if (known === undefined) {
      places.set(one[per], { ofAll: one, months: [one] });
      continue;
    }
    // Months come in order, so of equal prices the earliest stays.
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

/** Finds the middle of all hotels of a place by its id, so that filters do not move it. */
type MiddleOfPlace = (place: number) => Position | null;

/** The middles of places, computed once per state of the store: it has thousands of resorts. */
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
  return memoizeAll((place) => middleOf((ofPlace.get(place) ?? []).map(([, position]) => position)));
}

/** Lists the fields, because spreading is slow for a response's thousands of months. */
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
