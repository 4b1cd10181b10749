import {
  addDays,
  type CalendarDate,
  dayNumber,
  fromDayNumber,
  todayInLondon,
} from '../../domain/calendar-date.ts';
import type { DestinationTuple } from '../../domain/destination.ts';
import { slugOf } from '../../domain/hotel-path.ts';
import { firstDayOfMonth, monthOfDay } from '../../domain/month.ts';
import { DEFAULT_PARTY } from '../../domain/party.ts';
import type { Catalogue } from '../inventory/catalogue.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import type { CachedCatalogue } from '../inventory/tables/cached-catalogue.ts';
import type { Facets } from '../package-search/query/facets.ts';
import { ANYTHING, toOfferFilters } from '../package-search/query/package-query.ts';
import type {
  LowestPrice,
  OfferFilters,
  PackageRepository,
  PlaceLevel,
  SearchCaller,
} from '../package-search/query/package-repository.ts';
import { NO_REFINEMENTS } from '../package-search/query/refinements.ts';

/** Prices by month reach this far. */
const MONTHS_AHEAD = 12;

/** A place with fewer packages on its cheapest days has no page. */
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
  /** The lowest price of each month, or of each day of `month`, in order. */
  prices: LowestPrice[];
  /** On the three days around the lowest price: the cheapest package of each of ten hotels, and what there is. */
  hotels: OfferRow[];
  hotelCount: number;
  facets: Facets;
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

/** A place with its prices for two adults and seven nights, from any airport. Null: too few packages. */
export async function findPlace(
  slugs: readonly string[],
  month: string | null,
  options: FindPlaceOptions,
): Promise<FoundPlace | null> {
  const { repository, nowMs, caller } = options;
  const place = placeAt(slugs, await repository.catalogue());
  if (place === null) return null;
  const tomorrow = addDays(todayInLondon(nowMs), 1);
  const window = month === null ? yearFrom(tomorrow) : daysOfMonth(month);
  const prices = await lowestIn(place, window, month === null ? place.level : 'day', options);
  const [cheapest] = [...prices].sort((one, other) => one.price - other.price || one.day - other.day);
  if (cheapest === undefined) return null;
  const { pages, catalogue } = await repository.search((current) => {
    const days = { first: cheapest.day - 1, last: cheapest.day + 1 };
    const filters = filtersOf(place, days, current, options);
    if (filters === null) return [];
    const query = { ...filters, sort: 'PRICE_ASC', ties: 'in-order', after: null, knownCount: null } as const;
    return [
      { ...query, collapse: 'hotel', limit: HOTELS, refine: NO_REFINEMENTS, hasFacets: true },
      { ...query, collapse: 'none', limit: MIN_PACKAGES },
    ];
  }, caller);
  const [hotels, packages] = pages;
  if (hotels?.facets === undefined || packages === undefined || packages.offers.length < MIN_PACKAGES)
    return null;
  return {
    ...place,
    month,
    catalogue,
    prices,
    hotels: hotels.offers,
    hotelCount: hotels.count,
    facets: hotels.facets,
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

function yearFrom(tomorrow: CalendarDate): Days {
  const first = dayNumber(tomorrow);
  return { first, last: firstDayOfMonth(monthOfDay(first) + MONTHS_AHEAD) - 1 };
}

function daysOfMonth(month: string): Days {
  const first = dayNumber(`${month}-01`);
  return { first, last: firstDayOfMonth(monthOfDay(first) + 1) - 1 };
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
