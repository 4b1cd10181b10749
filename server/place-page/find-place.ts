import { dayNumber, fromDayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import type { DestinationTuple } from '../../domain/destination.ts';
import { slugOf } from '../../domain/hotel-path.ts';
import { firstDayOfMonth, monthOfDay } from '../../domain/month.ts';
import { DEFAULT_PARTY } from '../../domain/party.ts';
import { placePath } from '../../domain/place-path.ts';
import type { Catalogue } from '../inventory/catalogue.ts';
import type { Offer } from '../inventory/offer.ts';
import type { CachedCatalogue } from '../inventory/tables/cached-catalogue.ts';
import type { Facets } from '../package-search/query/facets.ts';
import { ANYTHING, toOfferFilters } from '../package-search/query/package-query.ts';
import type {
  LowestPrice,
  OfferFilters,
  PackagePage,
  PackageQuery,
  PackageRepository,
  PlaceLevel,
  SearchCaller,
} from '../package-search/query/package-repository.ts';
import { NO_REFINEMENTS } from '../package-search/query/refinements.ts';

/** Prices by month reach this far. */
const MONTHS_AHEAD = 12;

/** Search engines list a place and its months from this many packages on its cheapest days on. */
const MIN_PACKAGES = 10;

const HOTELS = 10;

const NIGHTS = 7;

/** A place with packages: its names, and its ids in the store. */
export interface Place {
  names: DestinationTuple;
  level: PlaceLevel;
  country: number;
  region: number | null;
  resort: number | null;
}

export interface FoundPlace extends Place {
  /** YYYY-MM; null: all months. */
  month: string | null;
  catalogue: CachedCatalogue;
  /** The lowest price of each month, or of each day of `month`, in order. Empty: nothing is on sale. */
  prices: LowestPrice[];
  /** On the three days around the lowest price: the cheapest package of each of ten hotels, and what there is. */
  hotels: Offer[];
  hotelCount: number;
  facets: Facets | null;
  isIndexed: boolean;
}

export interface FindPlaceOptions {
  repository: PackageRepository;
  brandCode: string;
  /** All departure airports. */
  airportCodes: string[];
  nowMs: number;
  caller: SearchCaller;
}

/** The place that a path names: a country, a region or a resort, then perhaps a month. Null: there is none. */
function placeAt(slugs: readonly string[], catalogue: Catalogue): Place | null {
  const [countrySlug = '', regionSlug, resortSlug] = slugs;
  const named = <T extends { name: string }>(
    records: Iterable<T>,
    slug: string,
    isInside: (one: T) => boolean,
  ) => [...records].find((one) => slugOf(one.name) === slug && isInside(one));
  const country = named(catalogue.countries.values(), countrySlug, () => true);
  if (country === undefined) return null;
  if (regionSlug === undefined) {
    return {
      names: [country.name, '', ''],
      level: 'country',
      country: country.id,
      region: null,
      resort: null,
    };
  }
  const region = named(catalogue.regions.values(), regionSlug, (one) => one.country === country.id);
  if (region === undefined) return null;
  const ofRegion = { country: country.id, region: region.id };
  if (resortSlug === undefined)
    return { names: [country.name, region.name, ''], level: 'region', ...ofRegion, resort: null };
  const resort = named(catalogue.resorts.values(), resortSlug, (one) => one.region === region.id);
  if (resort === undefined) return null;
  return { names: [country.name, region.name, resort.name], level: 'resort', ...ofRegion, resort: resort.id };
}

/** A place with its prices for two adults and seven nights, from any airport. Null: unknown, or an empty month. */
export async function findPlace(
  slugs: readonly string[],
  month: string | null,
  options: FindPlaceOptions,
): Promise<FoundPlace | null> {
  const { repository, nowMs, caller } = options;
  const current = await repository.catalogue();
  const place = placeAt(slugs, current);
  if (place === null) return null;
  const months = await lowestIn(place, yearFrom(nowMs), place.level, options);
  const prices = month === null ? months : await lowestIn(place, daysOfMonth(month, nowMs), 'day', options);
  const [cheapest, cheapestOfYear] = [cheapestOf(prices), cheapestOf(months)];
  const empty = { hotels: [], hotelCount: 0, facets: null, isIndexed: false };
  if (cheapest === undefined)
    return month === null ? { ...place, month, catalogue: current, prices, ...empty } : null;
  const { pages, catalogue } = await repository.search((inSnapshot) => {
    const filters = filtersOf(place, daysAround(cheapest), inSnapshot, options);
    if (filters === null) return [];
    return [
      { ...filters, ...IN_ORDER, collapse: 'hotel', limit: HOTELS, refine: NO_REFINEMENTS, hasFacets: true },
      ...enoughIn(place, cheapestOfYear, inSnapshot, options),
    ];
  }, caller);
  const [hotels, packages] = pages;
  return {
    ...place,
    month,
    catalogue,
    prices,
    hotels: hotels?.offers ?? [],
    hotelCount: hotels?.count ?? 0,
    facets: hotels?.facets ?? null,
    isIndexed: isEnough(packages),
  };
}

/** The country and the places in it, with their months, that search engines may list. */
export async function indexedPlaces(
  slug: string,
  options: FindPlaceOptions,
): Promise<{ country: Place; paths: string[] } | null> {
  const { repository, nowMs, caller } = options;
  const catalogue = await repository.catalogue();
  const country = placeAt([slug], catalogue);
  if (country === null) return null;
  const paths: string[] = [];
  for (const level of ['country', 'region', 'resort'] as const) {
    const prices = await lowestIn(country, yearFrom(nowMs), level, options);
    for (const months of Map.groupBy(prices, (price) => price[level]).values()) {
      const place = placeOf(months[0], level, catalogue);
      if (place === null) continue;
      const { pages } = await repository.search(
        (inSnapshot) => enoughIn(place, cheapestOf(months), inSnapshot, options),
        caller,
      );
      if (!isEnough(pages[0])) continue;
      paths.push(placePath(place.names));
      for (const { day } of months) paths.push(placePath(place.names, fromDayNumber(day).slice(0, 7)));
    }
  }
  return { country, paths };
}

const IN_ORDER = { sort: 'PRICE_ASC', ties: 'in-order', after: null, knownCount: null } as const;

const ENOUGH = {
  sort: 'PRICE_ASC',
  ties: 'any',
  after: null,
  knownCount: 0,
  collapse: 'none',
  limit: MIN_PACKAGES,
} as const;

/** A query for the packages around a place's cheapest day, up to as many as search engines want. */
function enoughIn(
  place: Place,
  cheapest: LowestPrice | undefined,
  catalogue: Catalogue,
  options: FindPlaceOptions,
): PackageQuery[] {
  const filters = cheapest && filtersOf(place, daysAround(cheapest), catalogue, options);
  return filters ? [{ ...filters, ...ENOUGH }] : [];
}

function cheapestOf(prices: readonly LowestPrice[]): LowestPrice | undefined {
  return prices.toSorted((one, other) => one.price - other.price || one.day - other.day)[0];
}

function isEnough(page: PackagePage | undefined): boolean {
  return page !== undefined && page.offers.length >= MIN_PACKAGES;
}

function daysAround({ day }: LowestPrice): Days {
  return { first: day - 1, last: day + 1 };
}

/** The place of a price, at a level. Null: imports have since removed it. */
function placeOf(price: LowestPrice | undefined, level: PlaceLevel, catalogue: Catalogue): Place | null {
  const [country, region, resort] = [
    catalogue.countries.get(price?.country ?? 0)?.name,
    catalogue.regions.get(price?.region ?? 0)?.name,
    catalogue.resorts.get(price?.resort ?? 0)?.name,
  ];
  if (price === undefined || country === undefined || region === undefined || resort === undefined)
    return null;
  const hasRegion = level !== 'country';
  const hasResort = level === 'resort';
  return {
    names: [country, hasRegion ? region : '', hasResort ? resort : ''],
    level,
    country: price.country,
    region: hasRegion ? price.region : null,
    resort: hasResort ? price.resort : null,
  };
}

interface Days {
  first: number;
  last: number;
}

/** The lowest prices of a place. Reads half the days at a time if all would be too much for one query. */
async function lowestIn(
  place: Place,
  days: Days,
  per: PlaceLevel | 'day',
  options: FindPlaceOptions,
): Promise<LowestPrice[]> {
  const { prices, isTooWide } = await options.repository.lowestPrices((catalogue) => {
    const filters = filtersOf(place, days, catalogue, options);
    return filters && { ...filters, per, most: null };
  }, options.caller);
  if (!isTooWide) return prices;
  const months = monthOfDay(days.last) - monthOfDay(days.first);
  if (months === 0) return [];
  const middle = firstDayOfMonth(monthOfDay(days.first) + Math.ceil(months / 2));
  const [early, late] = [
    { ...days, last: middle - 1 },
    { ...days, first: middle },
  ];
  return [...(await lowestIn(place, early, per, options)), ...(await lowestIn(place, late, per, options))];
}

function yearFrom(nowMs: number): Days {
  const first = tomorrowAt(nowMs);
  return { first, last: firstDayOfMonth(monthOfDay(first) + MONTHS_AHEAD) - 1 };
}

function daysOfMonth(month: string, nowMs: number): Days {
  const first = dayNumber(`${month}-01`);
  return { first: Math.max(first, tomorrowAt(nowMs)), last: firstDayOfMonth(monthOfDay(first) + 1) - 1 };
}

function tomorrowAt(nowMs: number): number {
  return dayNumber(todayInLondon(nowMs)) + 1;
}

function filtersOf(
  { country, region, resort }: Place,
  { first, last }: Days,
  catalogue: Catalogue,
  { brandCode, airportCodes, nowMs }: FindPlaceOptions,
): OfferFilters | null {
  const filters = toOfferFilters(
    {
      brand: brandCode,
      startDate: fromDayNumber(first),
      endDate: fromDayNumber(last + NIGHTS),
      lastDeparture: fromDayNumber(last),
      departureAirports: airportCodes,
      numberOfAdults: DEFAULT_PARTY.adults,
      numberOfChildren: DEFAULT_PARTY.children,
      numberOfInfants: DEFAULT_PARTY.infants,
      duration: NIGHTS,
      maxDuration: null,
      ...ANYTHING,
    },
    catalogue,
    { brandCode, nowMs },
  );
  return (
    filters && {
      ...filters,
      countries: [country],
      regions: region === null ? null : [region],
      resorts: resort === null ? null : [resort],
    }
  );
}

/** Whether a resort is the place, or in it. */
export function isInside({ level, catalogue, ...place }: FoundPlace, resort: number): boolean {
  if (level === 'resort') return resort === place.resort;
  const region = catalogue.regions.get(catalogue.resorts.get(resort)?.region ?? 0);
  return level === 'region' ? region?.id === place.region : region?.country === place.country;
}

/** The places one level below, by name. */
export function placesInside(place: Place, catalogue: Catalogue): DestinationTuple[] {
  const [country, region] = place.names;
  const names = <T extends { name: string }>(records: Iterable<T>, isInside: (one: T) => boolean) =>
    [...records]
      .filter(isInside)
      .map(({ name }) => name)
      .sort((one, other) => one.localeCompare(other, 'en-GB'));
  if (place.level === 'country')
    return names(catalogue.regions.values(), (one) => one.country === place.country).map((name) => [
      country,
      name,
      '',
    ]);
  if (place.level === 'region')
    return names(catalogue.resorts.values(), (one) => one.region === place.region).map((name) => [
      country,
      region,
      name,
    ]);
  return [];
}
