import { dayNumber, todayInLondon } from '../../../domain/calendar-date.ts';
import { type Catalogue, foldedName, isSameName, recordOf } from '../../inventory/catalogue.ts';
import { memoize } from '../../lib/memoize.ts';
import { numbersBetween } from '../../lib/numbers-between.ts';
import type { Collapse, OfferFilters, PackageQuery, SharedPlaces } from './package-repository.ts';
import type { SearchRequest } from './search-request.ts';

const MS_A_MINUTE = 60_000;

/** Today in London, cached by the minute because converting time zones is slow. */
const todayAt = memoize(10, (minute: number) => dayNumber(todayInLondon(minute * MS_A_MINUTE)));

type Filters = SearchRequest['filters'];

/** Filters for any place, board and stars. */
export const ANYTHING = {
  country: '',
  region: '',
  resort: '',
  boardBasis: '',
  starRating: null,
  places: [],
} satisfies Partial<Filters>;

export interface QueryOptions {
  /** The storefront's code; it sells every provider's packages. */
  brandCode: string;
  collapse: Collapse;
  nowMs: number;
}

/**
 * The request in the store's terms, without its page. Null if it has an unknown name (place, brand, board,
 * party, or every airport), so that nothing can match.
 */
export function toPackageQuery(
  request: Pick<SearchRequest, 'filters' | 'sortBy' | 'limit'>,
  catalogue: Catalogue,
  options: QueryOptions,
): Omit<PackageQuery, 'after' | 'knownCount'> | null {
  const offers = toOfferFilters(request.filters, catalogue, options);
  const { collapse } = options;
  return offers && { ...offers, sort: request.sortBy, collapse, ties: 'in-order', limit: request.limit };
}

/** The filters in the store's terms. Null if nothing can match. */
export function toOfferFilters(
  filters: Filters,
  catalogue: Catalogue,
  options: Pick<QueryOptions, 'brandCode' | 'nowMs'>,
): OfferFilters | null {
  const providers = providerIds(filters.brand, catalogue, options.brandCode);
  const places = placesOf(filters, catalogue);
  const airports = new Set(filters.departureAirports.flatMap((code) => idsOf(catalogue.airportsCoded(code))));
  const boards = boardIds(filters.boardBasis, catalogue);
  const party = [...catalogue.parties.values()].find(
    ({ adults, children, infants }) =>
      adults === filters.numberOfAdults &&
      children === filters.numberOfChildren &&
      infants === filters.numberOfInfants,
  );
  if (providers === 'unknown' || places === 'unknown' || boards === 'unknown') return null;
  if (party === undefined || airports.size === 0) return null;

  return {
    providers,
    ...places,
    airports: [...airports],
    ...windowOf(filters, options.nowMs),
    nights: nightsOf(filters),
    party: party.id,
    boards,
    halfStars: filters.starRating === null ? null : [filters.starRating * 2, filters.starRating * 2 + 1],
    now: Math.floor(options.nowMs / MS_A_MINUTE),
  };
}

/** The filters' days in the store's terms. Queries that differ only in their dates differ only in these. */
export function windowOf(
  { startDate, endDate, duration, lastDeparture }: Filters,
  nowMs: number,
): Pick<OfferFilters, 'firstDay' | 'lastDay' | 'lastReturnDay'> {
  // The first departure is tomorrow, as in the form (Section 5).
  const tomorrow = todayAt(Math.floor(nowMs / MS_A_MINUTE)) + 1;
  const end = dayNumber(endDate);
  return {
    firstDay: Math.max(dayNumber(startDate), tomorrow),
    lastDay: Math.min(end - (duration ?? 1), dayNumber(lastDeparture ?? endDate)),
    lastReturnDay: end,
  };
}

function nightsOf({ duration, maxDuration }: Filters): number[] | null {
  if (maxDuration === null) return duration === null ? null : [duration];
  return numbersBetween(duration ?? 1, maxDuration);
}

function providerIds(brand: string, catalogue: Catalogue, storefront: string): number[] | null | 'unknown' {
  const isHidden = ({ code }: { code: string }) => catalogue.standings.get(code) === 'hidden';
  const shown = (records: Iterable<{ id: number; code: string }>) =>
    known([...records].filter((one) => !isHidden(one)));
  if (!isSameName(brand, storefront)) return shown(catalogue.providersCoded(brand));
  return [...catalogue.standings.values()].includes('hidden') ? shown(catalogue.providers.values()) : null;
}

function boardIds(board: string, catalogue: Catalogue): number[] | null | 'unknown' {
  if (board.trim() === '') return null;
  return known(catalogue.boardsCoded(board));
}

/** A place by its ids. A region or resort comes with its parents, the first columns of the key. */
export type PlaceIds = readonly [country: number, region?: number, resort?: number];

export function sharedPlaces(places: readonly PlaceIds[]): SharedPlaces {
  return { levels: places[0]?.length ?? 0, rows: JSON.stringify(places) };
}

type Places = Pick<OfferFilters, 'countries' | 'regions' | 'resorts' | 'places'>;

function placesOf(filters: Filters, catalogue: Catalogue): Places | 'unknown' {
  if (filters.places.length === 0) {
    const places = placesNamed(filters, catalogue);
    return places === null ? ANYWHERE : listed(places);
  }
  const places = filters.places.flatMap((names) => placesNamed(names, catalogue) ?? []);
  const levels = Math.max(...places.map(({ length }) => length));
  return listed(
    places.flatMap((place) => (place.length < levels ? placesIn(place, levels, catalogue) : [place])),
  );
}

/** The regions (`levels` is 2) or resorts (3) in a place. */
function placesIn([country, region]: PlaceIds, levels: number, { regions, resorts }: Catalogue): PlaceIds[] {
  const isInside = (one: { country: number; id: number }) =>
    one.country === country && (region ?? one.id) === one.id;
  if (levels === 2) return [...regions.values()].filter(isInside).map(({ id }) => [country, id]);
  return [...resorts.values()].flatMap((resort): PlaceIds[] =>
    isInside(recordOf(regions, resort.region)) ? [[country, resort.region, resort.id]] : [],
  );
}

/** The places with these names; null if no name is given. Each given level narrows the level below. */
function placesNamed(
  { country, region, resort }: Filters['places'][number],
  catalogue: Catalogue,
): PlaceIds[] | null {
  const isGiven = (name: string) => foldedName(name) !== '';
  const countries = isGiven(country) ? new Set(idsOf(catalogue.countriesNamed(country))) : null;
  const isInCountry = (one: { country: number }) => countries?.has(one.country) ?? true;
  const regions = isGiven(region) ? catalogue.regionsNamed(region).filter(isInCountry) : null;

  if (isGiven(resort)) {
    const parents = regions && new Set(idsOf(regions));
    return catalogue.resortsNamed(resort).flatMap((one): PlaceIds[] => {
      const parent = recordOf(catalogue.regions, one.region);
      const isAsked = parents === null ? isInCountry(parent) : parents.has(parent.id);
      return isAsked ? [[parent.country, parent.id, one.id]] : [];
    });
  }
  if (regions !== null) return regions.map((one) => [one.country, one.id]);
  return countries && [...countries].map((id) => [id]);
}

const ANYWHERE: Places = { countries: null, regions: null, resorts: null };

function listed(places: readonly PlaceIds[]): Places | 'unknown' {
  const [place] = places;
  if (place === undefined) return 'unknown';
  if (places.length > 1) return { ...ANYWHERE, places: sharedPlaces(places) };
  const [countries = null, regions = null, resorts = null] = place.map((id) =>
    id === undefined ? null : [id],
  );
  return { countries, regions, resorts };
}

function idsOf(records: readonly { id: number }[]): number[] {
  return records.map(({ id }) => id);
}

function known(records: readonly { id: number }[]): number[] | 'unknown' {
  return records.length === 0 ? 'unknown' : idsOf(records);
}
