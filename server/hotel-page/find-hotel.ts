import { addDays, type CalendarDate, todayInLondon } from '../../domain/calendar-date.ts';
import { codesInPath, slugOf } from '../../domain/hotel-path.ts';
import { recordOf } from '../inventory/catalogue.ts';
import type { HotelRecord } from '../inventory/inventory.ts';
import type { Offer } from '../inventory/offer.ts';
import type { CachedCatalogue } from '../inventory/tables/cached-catalogue.ts';
import { ANYTHING, toOfferFilters } from '../package-search/query/package-query.ts';
import type {
  LowestPrice,
  OfferFilters,
  PackageRepository,
  SearchCaller,
} from '../package-search/query/package-repository.ts';
import { DAYS_OF_GRID, type HotelSearch } from './hotel-search.ts';

/** More packages than a hotel has in a week, from all airports and of all providers. */
const MAX_PACKAGES = 10_000;

/** How far ahead prices by month reach. */
const DAYS_AHEAD = 365;

/** A hotel with its packages for a search. */
export interface FoundHotel {
  hotel: HotelRecord;
  /** The hotel first, then what other providers call it. */
  records: readonly HotelRecord[];
  country: string;
  region: string;
  resort: string;
  catalogue: CachedCatalogue;
  /** On the days of the grid. */
  offers: Offer[];
  /** The lowest price of each board and month with packages. */
  months: LowestPrice[];
}

export interface FindOptions {
  repository: PackageRepository;
  brandCode: string;
  nowMs: number;
  caller: SearchCaller;
}

/** The hotel at a path, by its country's and its own name and its code. Null: no hotel is called so. */
export async function findHotel(
  countrySlug: string,
  hotelPart: string,
  search: HotelSearch,
  options: FindOptions,
): Promise<FoundHotel | null> {
  const { repository } = options;
  const coded = new Map(codesInPath(hotelPart).map(({ code, nameSlug }) => [code, nameSlug]));
  if (coded.size === 0) return null;
  const [named, catalogue] = await Promise.all([
    repository.hotelsBy({ code: [...coded.keys()] }),
    repository.catalogue(),
  ]);
  const hotel = named.find(
    ({ code, name, resort }) =>
      coded.get(code) === slugOf(name) && slugOf(placeOf(resort, catalogue).country) === countrySlug,
  );
  return hotel === undefined ? null : packagesOf(hotel, search, options);
}

/** A hotel's packages for a search, of all providers that sell it. */
export async function packagesOf(
  hotel: HotelRecord,
  search: HotelSearch,
  { repository, brandCode, nowMs, caller }: FindOptions,
): Promise<FoundHotel> {
  const { sameHotels } = await repository.catalogue();
  const same = sameHotels.get(hotel.id);
  const others = same?.filter((id) => id !== hotel.id) ?? [];
  const records = [hotel, ...(others.length > 0 ? await repository.hotelsBy({ id: others }) : [])];
  const hotels = records.map(({ id }) => id);
  const from = (startDate: CalendarDate, days: number, current: CachedCatalogue) =>
    ofHotels(records, search, { startDate, lastDeparture: addDays(startDate, days - 1) }, current, {
      brandCode,
      nowMs,
    });

  const { pages, catalogue: used } = await repository.search((current) => {
    const filters = from(search.firstDay, DAYS_OF_GRID, current);
    return filters === null ? [] : [{ ...filters, ...EVERY_PACKAGE, lists: [['hotel', hotels]] }];
  }, caller);
  const { prices } = await repository.lowestPrices((current) => {
    const filters = from(todayInLondon(nowMs), DAYS_AHEAD, current);
    return filters && { ...filters, per: 'board', most: null, hotels };
  }, caller);
  return {
    hotel,
    records,
    ...placeOf(hotel.resort, used),
    catalogue: used,
    offers: pages[0]?.offers ?? [],
    months: prices,
  };
}

const EVERY_PACKAGE = {
  sort: 'PRICE_ASC',
  collapse: 'none',
  ties: 'any',
  limit: MAX_PACKAGES,
  after: null,
  knownCount: 0,
} as const;

function placeOf(resortId: number, catalogue: CachedCatalogue) {
  const resort = recordOf(catalogue.resorts, resortId);
  const region = recordOf(catalogue.regions, resort.region);
  const country = recordOf(catalogue.countries, region.country);
  return { country: country.name, region: region.name, resort: resort.name };
}

/** The search's filters for the resorts of these hotels. Null if nothing can match. */
function ofHotels(
  records: readonly HotelRecord[],
  { party, nights: [least, most], airportCodes }: HotelSearch,
  { startDate, lastDeparture }: { startDate: CalendarDate; lastDeparture: CalendarDate },
  catalogue: CachedCatalogue,
  options: { brandCode: string; nowMs: number },
): OfferFilters | null {
  const filters = toOfferFilters(
    {
      brand: options.brandCode,
      startDate,
      endDate: addDays(lastDeparture, most),
      lastDeparture,
      departureAirports: airportCodes,
      numberOfAdults: party.adults,
      numberOfChildren: party.children,
      numberOfInfants: party.infants,
      duration: least,
      maxDuration: most,
      ...ANYTHING,
    },
    catalogue,
    options,
  );
  if (filters === null) return null;
  const resorts = [...new Set(records.map(({ resort }) => resort))];
  const regions = [...new Set(resorts.map((id) => recordOf(catalogue.resorts, id).region))];
  const countries = [...new Set(regions.map((id) => recordOf(catalogue.regions, id).country))];
  return { ...filters, countries, regions, resorts };
}
