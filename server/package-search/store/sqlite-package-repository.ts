import type { OfferRow } from '../../inventory/inventory.ts';
import { IS_OFFER, OFFER_COLUMNS } from '../../inventory/offer-columns.ts';
import {
  type CachedCatalogue,
  catalogueVersions,
  readHotelsBy,
  readRecordsOf,
} from '../../inventory/tables/cached-catalogue.ts';
import {
  type InventoryVersions,
  READ_VERSIONS,
  versionsOf,
} from '../../inventory/tables/reference-tables.ts';
import { memoize } from '../../lib/memoize.ts';
import { readNote } from '../../storage/notes.ts';
import type { RowReader, SqlDatabase, SqlInput, SqlValue } from '../../storage/sql-database.ts';
import { lowestPrices } from '../blocks/lowest-prices.ts';
import {
  type FoundPage,
  type FoundPrices,
  INTERNAL_SEARCH,
  type LowestPricesQuery,
  type OfferFilters,
  type PackageQuery,
  type PackageRepository,
  type SearchCaller,
  type SearchResult,
} from '../query/package-repository.ts';
import { recordCodes } from '../query/record-codes.ts';
import { cachedResortPositions, readResortPositions } from '../query/resort-positions.ts';
import { readPartiesOnSale } from './parties-on-sale.ts';
import { pagesOf } from './search.ts';
import { sqliteSearchEngine } from './sqlite-search-engine.ts';
import { isWide, type WideSearchApi, type WideSearches } from './wide-search.ts';

/** Tries in the other thread before a wide search runs here, if imports keep changing the store. */
const MAX_ATTEMPTS = 3;

const MAX_STATEMENTS = 200;

const NO_PRICES: FoundPrices = { prices: [], isTooWide: false };

/** An embedded store on one connection. */
export type SqlitePackageRepository = PackageRepository & WideSearchApi;

/**
 * Searches an open connection to the embedded store. Owns and closes it. Wide searches and the walk over all
 * parties run in another thread, if there is one.
 */
export function sqlitePackageRepository(
  database: SqlDatabase,
  wideSearch: WideSearches | null = null,
): SqlitePackageRepository {
  const rowsNow = cachedStatements(database);
  const reader: RowReader = {
    rows: (sql, values) => rowsNow(sql, values),
    anyOf: database.anyOf,
    anyOfRows: (expressions) => `(${expressions.join(', ')}) in
      (select ${expressions.map((_, nth) => `value ->> ${nth}`).join(', ')} from json_each(?))`,
  };
  const inSnapshot = <T>(work: () => Promise<T>): Promise<T> => database.read(work);
  const versions = cachedVersions(rowsNow);
  const version = async () => (await versions()).reference;
  const catalogues = catalogueVersions();
  const codesIn = recordCodes();
  const positionsIn = cachedResortPositions();
  const currentCatalogue = async () => catalogues.at(await version(), reader.rows);

  const pagesIn = (catalogue: CachedCatalogue, queries: readonly PackageQuery[]) =>
    pagesOf(queries, catalogue, reader, codesIn(reader), sqliteSearchEngine);

  const pricesOf = (query: LowestPricesQuery, catalogue: CachedCatalogue) => {
    catalogue.requireBlocks(query.lastDay);
    return lowestPrices(sqliteSearchEngine(reader), query);
  };

  const resortPositionsFor = () =>
    inSnapshot(async () => ({ version: await version(), positions: await readResortPositions(reader.rows) }));

  /**
   * Runs queries. Wide ones go to another thread, which returns null if an import has changed the store. If
   * imports keep doing so, this thread runs them.
   */
  async function find<Q extends OfferFilters, Found extends object>(
    queriesFor: (catalogue: CachedCatalogue) => readonly Q[],
    caller: SearchCaller,
    findHere: (queries: readonly Q[], catalogue: CachedCatalogue) => Promise<Found>,
    findInThread: (
      inThread: WideSearches,
      queries: readonly Q[],
      catalogue: CachedCatalogue,
    ) => Promise<Found | null>,
  ): Promise<Found & Pick<SearchResult, 'catalogue' | 'inventoryVersion'>> {
    for (let attempt = 1; ; attempt += 1) {
      const { catalogue, queries, here, inventoryVersion } = await inSnapshot(async () => {
        const { inventory } = await versions();
        const current = await currentCatalogue();
        const made = queriesFor(current);
        const isLeft = wideSearch !== null && attempt <= MAX_ATTEMPTS && isWide(made, caller);
        const here = isLeft ? null : await findHere(made, current);
        return { catalogue: current, queries: made, here, inventoryVersion: inventory };
      });
      const found = here ?? (wideSearch && (await findInThread(wideSearch, queries, catalogue)));
      if (found !== null) return { inventoryVersion, ...found, catalogue };
    }
  }

  return {
    search: (queriesFor, caller = INTERNAL_SEARCH) =>
      find(
        queriesFor,
        caller,
        async (queries, catalogue) => {
          const pages = await pagesIn(catalogue, queries);
          await catalogue.load(reader, offersOf(pages));
          return { pages };
        },
        async (inThread, queries, catalogue) => {
          const { version: foundIn, records, ...found } = await inThread.searchFor(queries, caller);
          if (foundIn !== catalogue.version) return null;
          catalogue.add(records);
          return found;
        },
      ),
    lowestPrices: (queryFor, caller = INTERNAL_SEARCH) =>
      find(
        (catalogue) => [queryFor(catalogue)].filter((query) => query !== null),
        caller,
        async ([query], catalogue) => (query === undefined ? NO_PRICES : await pricesOf(query, catalogue)),
        async (inThread, [query], catalogue) => {
          if (query === undefined) return NO_PRICES;
          const { version: foundIn, ...found } = await inThread.lowestPricesFor(query, caller);
          return foundIn === catalogue.version ? found : null;
        },
      ),
    lowestPricesFor: (query) =>
      inSnapshot(async () => ({
        ...(await pricesOf(query, await currentCatalogue())),
        version: await version(),
      })),
    searchFor: (queries) =>
      inSnapshot(async () => {
        const pages = await pagesIn(await currentCatalogue(), queries);
        const { reference, inventory } = await versions();
        const records = await readRecordsOf(reader, offersOf(pages));
        return { version: reference, inventoryVersion: inventory, pages, records };
      }),
    async findByKey(keys) {
      const sql = `select ${OFFER_COLUMNS.join(', ')} from offer where ${IS_OFFER}`;
      const found = await inSnapshot(() => Promise.all(keys.map((key) => rowsNow(sql, key))));
      return found.flat() as unknown as OfferRow[];
    },
    hotelsBy: (which) => readHotelsBy(reader, which),
    catalogue: () => inSnapshot(currentCatalogue),
    // Waits for the other thread without a transaction, which would keep pages that an import replaces.
    resortPositions: (version) => positionsIn(version, wideSearch?.resortPositionsFor ?? resortPositionsFor),
    resortPositionsFor,
    partiesOnSale: (nowMs) =>
      wideSearch === null
        ? inSnapshot(() => readPartiesOnSale(reader, nowMs))
        : wideSearch.partiesOnSale(nowMs),
    async referenceVersion() {
      database.requireFile?.();
      return version();
    },
    inventoryVersion: async () => (await versions()).inventory,
    readNote: async (name) => readNote(database, name),
    close: () => database.close(),
  };
}

function offersOf(pages: readonly FoundPage[]): OfferRow[] {
  return pages.flatMap(({ offers }) => offers);
}

/** Reads rows; keeps the statements prepared last, because filters combine to any number of them. */
function cachedStatements(
  database: SqlDatabase,
): (sql: string, values: readonly SqlInput[]) => Promise<SqlValue[][]> {
  const prepared = memoize(MAX_STATEMENTS, (sql: string) => database.prepare(sql));
  return (sql, values) => prepared(sql).rows(...values);
}

/** Rereads the versions only after another connection has written: `data_version` costs almost nothing. */
function cachedVersions(rows: ReturnType<typeof cachedStatements>): () => Promise<InventoryVersions> {
  let dataVersion: unknown = null;
  let versions = versionsOf([]);
  return async () => {
    const current = (await rows('pragma data_version', []))[0]?.[0];
    if (current === dataVersion) return versions;
    versions = versionsOf(await rows(READ_VERSIONS, []));
    dataVersion = current;
    return versions;
  };
}
