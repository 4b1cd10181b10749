import { dayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import { type Catalogue, isSameName, recordOf } from '../inventory/catalogue.ts';
import { memoize } from '../lib/memoize.ts';
import type { Collapse, OfferFilters, PackageQuery } from './package-repository.ts';
import type { SearchRequest } from './search-request.ts';

const MS_A_MINUTE = 60_000;

/** Today in London by the minute, cached because converting time zones is slow. */
const todayAt = memoize(10, (minute: number) => dayNumber(todayInLondon(minute * MS_A_MINUTE)));

type Filters = SearchRequest['filters'];

/** What a query needs besides its request. */
export interface QueryOptions {
  /** The storefront's code; it sells every provider's packages (ruling 10b). */
  brandCode: string;
  collapse: Collapse;
  nowMs: number;
}

/**
 * The request in the store's terms, without its page. Null if a name in it is unknown (a place, a brand, a board, a
 * party, or every airport): then nothing can match.
 */
export function toPackageQuery(
  request: SearchRequest,
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
  const places = placeIds(filters, catalogue);
  const airports = new Set(filters.departureAirports.flatMap((code) => idsOf(catalogue.airportsCoded(code))));
  const boards = boardIds(filters.boardBasis, catalogue);
  const party = [...catalogue.parties.values()].find(
    ({ adults, children, infants }) =>
      adults === filters.numberOfAdults &&
      children === filters.numberOfChildren &&
      infants === filters.numberOfInfants,
  );
  const impossible = [providers, places, boards].includes('unknown') || airports.size === 0;
  if (impossible || providers === 'unknown' || places === 'unknown' || boards === 'unknown') return null;
  if (party === undefined) return null;

  // The first departure is tomorrow, as in the form (Section 5).
  const tomorrow = todayAt(Math.floor(options.nowMs / MS_A_MINUTE)) + 1;
  const end = dayNumber(filters.endDate);
  return {
    providers,
    ...places,
    airports: [...airports],
    firstDay: Math.max(dayNumber(filters.startDate), tomorrow),
    lastDay: end - (filters.duration ?? 1),
    lastReturnDay: end,
    nights: filters.duration,
    party: party.id,
    boards,
    halfStars: filters.starRating === null ? null : [filters.starRating * 2, filters.starRating * 2 + 1],
    now: Math.floor(options.nowMs / MS_A_MINUTE),
  };
}

function providerIds(brand: string, catalogue: Catalogue, storefront: string): number[] | null | 'unknown' {
  if (isSameName(brand, storefront)) return null;
  return known(catalogue.providersCoded(brand));
}

function boardIds(board: string, catalogue: Catalogue): number[] | null | 'unknown' {
  if (board.trim() === '') return null;
  return known(catalogue.boardsCoded(board));
}

type PlaceIds = Pick<PackageQuery, 'countries' | 'regions' | 'resorts' | 'places'>;

/** Each given level narrows the one below. A resort or region comes with its parents, the first columns of the key. */
function placeIds({ country, region, resort }: Filters, catalogue: Catalogue): PlaceIds | 'unknown' {
  const isGiven = (name: string) => name.trim() !== '';
  const countries = isGiven(country) ? idsOf(catalogue.countriesNamed(country)) : null;
  const isInCountry = (one: { country: number }) => countries?.includes(one.country) ?? true;
  const regions = isGiven(region) ? catalogue.regionsNamed(region).filter(isInCountry) : null;

  if (isGiven(resort)) {
    const resorts = catalogue.resortsNamed(resort).filter((one) => {
      const parent = recordOf(catalogue.regions, one.region);
      return regions === null ? isInCountry(parent) : regions.includes(parent);
    });
    const parents = [...new Set(resorts.map((one) => recordOf(catalogue.regions, one.region)))];
    if (resorts.length === 0) return 'unknown';
    const places = resorts.map(({ id, region: parent }) => [
      recordOf(catalogue.regions, parent).country,
      parent,
      id,
    ]);
    const lists = { countries: countriesOf(parents), regions: idsOf(parents), resorts: idsOf(resorts) };
    return { ...lists, ...sharingName(places) };
  }
  if (regions !== null) {
    if (regions.length === 0) return 'unknown';
    const places = regions.map((one) => [one.country, one.id]);
    const lists = { countries: countriesOf(regions), regions: idsOf(regions), resorts: null };
    return { ...lists, ...sharingName(places) };
  }
  return countries?.length === 0 ? 'unknown' : { countries, regions: null, resorts: null };
}

function sharingName(places: number[][]): Pick<PlaceIds, 'places'> {
  return places.length > 1 ? { places } : {};
}

function countriesOf(regions: readonly { country: number }[]): number[] {
  return [...new Set(regions.map(({ country }) => country))];
}

function idsOf(records: readonly { id: number }[]): number[] {
  return records.map(({ id }) => id);
}

function known(records: readonly { id: number }[]): number[] | 'unknown' {
  return records.length === 0 ? 'unknown' : idsOf(records);
}
