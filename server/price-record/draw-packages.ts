import { fromDayNumber } from '../../domain/calendar-date.ts';
import { recordOf } from '../inventory/catalogue.ts';
import { KEY_COLUMNS, OFFER, type OfferKey } from '../inventory/offer-columns.ts';
import type { CachedCatalogue } from '../inventory/tables/cached-catalogue.ts';
import { ANYTHING, toPackageQuery } from '../package-search/query/package-query.ts';
import type { PackageRepository } from '../package-search/query/package-repository.ts';
import { codeHashes } from '../price-history/code-hashes.ts';
import { bottomKSample } from '../price-history/model/bottom-k-sample.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/** What the form's first page has (Section 9). */
const PAGE_SIZE = 10;

/** `seed`: hexadecimal; it alone decides what is drawn from the packages on sale. Days count from 1970-01-01. */
type Draw = { seed: string; size: number; today: number; nowMs: number };

/**
 * Draws packages that depart after today: half at random, and half from the first pages of searches. Each search is
 * for the place, airport, day and nights of a package drawn at random. Scans the keys of all packages once.
 */
export async function drawPackages(
  database: SqlDatabase,
  search: PackageRepository['search'],
  { seed, size, today, nowMs }: Draw,
): Promise<OfferKey[]> {
  const hashes = await codeHashes(database);
  const sampleBy = (digits: string) =>
    bottomKSample<OfferKey>(size, KEY_COLUMNS.length, hashes, Number.parseInt(digits, 16));
  const [ofPackages, ofSearches] = [sampleBy(seed.slice(0, 8)), sampleBy(seed.slice(8, 16))];
  const scan = database.prepare(
    `select ${KEY_COLUMNS.join(', ')} from offer where departure_day > ? and expires_at > ?`,
  );
  for await (const row of scan.iterate(today, Math.floor(nowMs / 60_000)))
    for (const sample of [ofPackages, ofSearches]) sample.add(row as unknown as OfferKey);
  const drawn = new Map<string, OfferKey>();
  const draw = (keys: readonly OfferKey[], most: number) => {
    for (const key of keys) if (drawn.size < most) drawn.set(keyText(key), key);
  };
  const random = ofPackages.sample();
  draw(random, Math.ceil(size / 2));
  for (const [nth, key] of ofSearches.sample().entries()) {
    if (drawn.size >= Math.min(size, random.length)) break;
    const { pages } = await search((catalogue) => firstPage(key, nth % 3, catalogue, nowMs));
    const rows = pages.flatMap(({ offers }) => offers.map(({ row }) => row.slice(0, KEY_COLUMNS.length)));
    draw(rows as unknown as OfferKey[], size);
  }
  // Searches of a small inventory find the same packages again.
  draw(random, size);
  return [...drawn.values()];
}

/** Identifies a package among those of one store. */
export const keyText = (key: readonly unknown[]): string => key.slice(0, KEY_COLUMNS.length).join(',');

/** The first page of the product's own search, for the package's country, region (`level` is 1) or resort (2). */
function firstPage(key: OfferKey, level: number, catalogue: CachedCatalogue, nowMs: number) {
  const [day, nights] = [key[OFFER.departureDay], key[OFFER.nights]];
  const { adults, children, infants } = recordOf(catalogue.parties, key[OFFER.party]);
  const filters = {
    ...ANYTHING,
    brand: '',
    startDate: fromDayNumber(day),
    endDate: fromDayNumber(day + nights),
    departureAirports: [recordOf(catalogue.airports, key[OFFER.airport]).code],
    numberOfAdults: adults,
    numberOfChildren: children,
    numberOfInfants: infants,
    duration: nights,
    maxDuration: null,
    lastDeparture: null,
    country: recordOf(catalogue.countries, key[OFFER.country]).name,
    region: level < 1 ? '' : recordOf(catalogue.regions, key[OFFER.region]).name,
    resort: level < 2 ? '' : recordOf(catalogue.resorts, key[OFFER.resort]).name,
  };
  const request = { filters, sortBy: 'PRICE_ASC' as const, limit: PAGE_SIZE };
  const query = toPackageQuery(request, catalogue, { brandCode: '', collapse: 'hotel', nowMs });
  return query === null ? [] : [{ ...query, after: null, knownCount: null }];
}
