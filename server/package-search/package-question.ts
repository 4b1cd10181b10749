import { addDays, dayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import { type Catalogue, isSameName } from './catalogue.ts';
import type { Collapse, PackageQuestion } from './package-repository.ts';
import type { SearchRequest } from './search-request.ts';

type Filters = SearchRequest['filters'];

/** What a question needs beyond its request. */
export interface QuestionSetting {
  /** The storefront's own code, which sells every provider's packages (ruling 10b). */
  brandCode: string;
  collapse: Collapse;
  nowMs: number;
}

/**
 * The request in the store's terms, without its place among the pages. Null where a name in it is known to
 * nobody (a place, a brand, a board, a party, every airport): then nothing can match.
 */
export function toPackageQuestion(
  request: SearchRequest,
  catalogue: Catalogue,
  setting: QuestionSetting,
): Omit<PackageQuestion, 'after' | 'knownCount'> | null {
  const { filters } = request;
  const providers = providerIds(filters.brand, catalogue, setting.brandCode);
  const places = placeIds(filters, catalogue);
  const airports = catalogue.reference.airports.filter(({ code }) =>
    filters.departureAirports.some((asked) => isSameName(asked, code)),
  );
  const boards = boardIds(filters.boardBasis, catalogue);
  const party = catalogue.reference.parties.find(
    ({ adults, children, infants }) =>
      adults === filters.numberOfAdults &&
      children === filters.numberOfChildren &&
      infants === filters.numberOfInfants,
  );
  const impossible = [providers, places, boards].includes('unknown') || airports.length === 0;
  if (impossible || providers === 'unknown' || places === 'unknown' || boards === 'unknown') return null;
  if (party === undefined) return null;

  // Nobody books for today: the first departure is tomorrow's, as in the form (Section 5).
  const tomorrow = dayNumber(addDays(todayInLondon(setting.nowMs), 1));
  const end = dayNumber(filters.endDate);
  return {
    providers,
    ...places,
    airports: idsOf(airports),
    firstDay: Math.max(dayNumber(filters.startDate), tomorrow),
    lastDay: end - (filters.duration ?? 1),
    lastReturnDay: end,
    nights: filters.duration,
    party: party.id,
    boards,
    halfStars: filters.starRating === null ? null : [filters.starRating * 2, filters.starRating * 2 + 1],
    now: Math.floor(setting.nowMs / 60_000),
    sort: request.sortBy,
    collapse: setting.collapse,
    limit: request.limit,
  };
}

function providerIds(brand: string, catalogue: Catalogue, storefront: string): number[] | null | 'unknown' {
  if (isSameName(brand, storefront)) return null;
  return known(catalogue.reference.providers.filter(({ code }) => isSameName(code, brand)));
}

function boardIds(board: string, catalogue: Catalogue): number[] | null | 'unknown' {
  if (board.trim() === '') return null;
  return known(catalogue.reference.boards.filter(({ code }) => isSameName(code, board)));
}

type PlaceIds = Pick<PackageQuestion, 'countries' | 'regions' | 'resorts'>;

/** Each named level narrows the one below; a named resort or region brings its parents, which lead the key. */
function placeIds(filters: Filters, { reference }: Catalogue): PlaceIds | 'unknown' {
  const isAsked = (asked: string) => asked.trim() !== '';
  const matches = (asked: string, name: string) => !isAsked(asked) || isSameName(asked, name);
  const countries = reference.countries.filter(({ name }) => matches(filters.country, name));
  const inCountries = new Set(idsOf(countries));
  const regions = reference.regions.filter(
    ({ country, name }) => inCountries.has(country) && matches(filters.region, name),
  );
  const inRegions = new Set(idsOf(regions));
  const resorts = reference.resorts.filter(
    ({ region, name }) => inRegions.has(region) && matches(filters.resort, name),
  );

  if (isAsked(filters.resort)) {
    const theirs = new Set(resorts.map(({ region }) => region));
    const parents = regions.filter(({ id }) => theirs.has(id));
    return resorts.length === 0
      ? 'unknown'
      : { countries: countriesOf(parents), regions: idsOf(parents), resorts: idsOf(resorts) };
  }
  if (isAsked(filters.region)) {
    return regions.length === 0
      ? 'unknown'
      : { countries: countriesOf(regions), regions: idsOf(regions), resorts: null };
  }
  if (!isAsked(filters.country)) return { countries: null, regions: null, resorts: null };
  return countries.length === 0 ? 'unknown' : { countries: idsOf(countries), regions: null, resorts: null };
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
