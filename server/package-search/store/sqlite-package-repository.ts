import type { OfferRow } from '../../inventory/inventory.ts';
import { offerOf } from '../../inventory/offer.ts';
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
import { readNote } from '../../storage/notes.ts';
import type { ReadRows, RowReader, SqlDatabase, SqlSession } from '../../storage/sql-database.ts';
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
import { namedPages, pagesOf } from './search.ts';
import { sqliteSearchEngine } from './sqlite-search-engine.ts';
import { isWide, type WideSearchApi, type WideSearches } from './wide-search.ts';

/** Tries in the other thread before a wide search runs here, if imports keep changing the store. */
const MAX_ATTEMPTS = 3;

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
  const inSnapshot = <T>(work: (reader: RowReader) => Promise<T>): Promise<T> =>
    database.read((tx) => work(readerOver(tx)));
  const versionsIn = cachedVersions();
  const versionIn = async ({ rows }: Pick<RowReader, 'rows'>) => (await versionsIn(rows)).reference;
  const catalogues = catalogueVersions();
  const codesIn = recordCodes();
  const positionsIn = cachedResortPositions();
  const catalogueIn = async (reader: RowReader) => catalogues.at(await versionIn(reader), reader.rows);

  const pagesIn = (reader: RowReader, catalogue: CachedCatalogue, queries: readonly PackageQuery[]) =>
    pagesOf(queries, catalogue, reader, codesIn(reader), sqliteSearchEngine);

  const pricesIn = (reader: RowReader, query: LowestPricesQuery) =>
    lowestPrices(sqliteSearchEngine(reader), query);

  const resortPositionsFor = () =>
    inSnapshot(async (reader) => ({
      version: await versionIn(reader),
      positions: await readResortPositions(reader.rows),
    }));

  /**
   * Runs queries. Wide ones go to another thread, which returns null if an import has changed the store. If
   * imports keep doing so, this thread runs them.
   */
  async function find<Q extends OfferFilters, Found extends object>(
    queriesFor: (catalogue: CachedCatalogue) => readonly Q[],
    caller: SearchCaller,
    findHere: (reader: RowReader, queries: readonly Q[], catalogue: CachedCatalogue) => Promise<Found>,
    findInThread: (
      inThread: WideSearches,
      queries: readonly Q[],
      catalogue: CachedCatalogue,
    ) => Promise<Found | null>,
  ): Promise<Found & Pick<SearchResult, 'catalogue' | 'inventoryVersion'>> {
    for (let attempt = 1; ; attempt += 1) {
      const { catalogue, queries, here, inventoryVersion } = await inSnapshot(async (reader) => {
        const { inventory } = await versionsIn(reader.rows);
        const current = await catalogueIn(reader);
        const made = queriesFor(current);
        const isLeft = wideSearch !== null && attempt <= MAX_ATTEMPTS && isWide(made, caller);
        const here = isLeft ? null : await findHere(reader, made, current);
        return { catalogue: current, queries: made, here, inventoryVersion: inventory };
      });
      const found = here ?? (wideSearch && (await findInThread(wideSearch, queries, catalogue)));
      if (found !== null) return { inventoryVersion, ...found, catalogue };
    }
  }

  return {
    async search(queriesFor, caller = INTERNAL_SEARCH) {
      const { pages, ...found } = await find(
        queriesFor,
        caller,
        async (reader, queries, catalogue) => {
          const pages = await pagesIn(reader, catalogue, queries);
          await catalogue.load(reader, offersOf(pages));
          return { pages };
        },
        async (inThread, queries, catalogue) => {
          const { version: foundIn, records, ...found } = await inThread.searchFor(queries, caller);
          if (foundIn !== catalogue.version) return null;
          catalogue.add(records);
          return found;
        },
      );
      return { ...found, pages: namedPages(pages) };
    },
    lowestPrices: (queryFor, caller = INTERNAL_SEARCH) =>
      find(
        (catalogue) => [queryFor(catalogue)].filter((query) => query !== null),
        caller,
        async (reader, [query]) => (query === undefined ? NO_PRICES : await pricesIn(reader, query)),
        async (inThread, [query], catalogue) => {
          if (query === undefined) return NO_PRICES;
          const { version: foundIn, ...found } = await inThread.lowestPricesFor(query, caller);
          return foundIn === catalogue.version ? found : null;
        },
      ),
    lowestPricesFor: (query) =>
      inSnapshot(async (reader) => ({
        ...(await pricesIn(reader, query)),
        version: await versionIn(reader),
      })),
    searchFor: (queries) =>
      inSnapshot(async (reader) => {
        const pages = await pagesIn(reader, await catalogueIn(reader), queries);
        const { reference, inventory } = await versionsIn(reader.rows);
        const records = await readRecordsOf(reader, offersOf(pages));
        return { version: reference, inventoryVersion: inventory, pages, records };
      }),
    async findByKey(keys) {
      const sql = `select ${OFFER_COLUMNS.join(', ')} from offer where ${IS_OFFER}`;
      const found = await inSnapshot(({ rows }) => Promise.all(keys.map((key) => rows(sql, key))));
      return (found.flat() as unknown as OfferRow[]).map(offerOf);
    },
    hotelsBy: (which) => readHotelsBy(readerOver(database), which),
    catalogue: () => inSnapshot(catalogueIn),
    // Waits for the other thread without a transaction, which would keep pages that an import replaces.
    resortPositions: (version) => positionsIn(version, wideSearch?.resortPositionsFor ?? resortPositionsFor),
    resortPositionsFor,
    partiesOnSale: (nowMs) =>
      wideSearch === null
        ? inSnapshot((reader) => readPartiesOnSale(reader, nowMs))
        : wideSearch.partiesOnSale(nowMs),
    async referenceVersion() {
      database.requireFile?.();
      return versionIn(readerOver(database));
    },
    inventoryVersion: async () => (await versionsIn(readerOver(database).rows)).inventory,
    readNote: async (name) => readNote(database, name),
    close: () => database.close(),
  };
}

function offersOf(pages: readonly FoundPage[]): OfferRow[] {
  return pages.flatMap(({ offers }) => offers);
}

function readerOver(session: SqlSession): RowReader {
  return {
    rows: (sql, values) => session.prepare(sql).rows(...values),
    anyOf: session.anyOf,
    anyOfRows: (expressions) => `(${expressions.join(', ')}) in
      (select ${expressions.map((_, nth) => `value ->> ${nth}`).join(', ')} from json_each(?))`,
  };
}

/** Rereads the versions only after another connection has written: `data_version` costs almost nothing. */
function cachedVersions(): (rows: ReadRows) => Promise<InventoryVersions> {
  let dataVersion: unknown = null;
  let versions = versionsOf([]);
  return async (rows) => {
    const current = (await rows('pragma data_version', []))[0]?.[0];
    if (current === dataVersion) return versions;
    versions = versionsOf(await rows(READ_VERSIONS, []));
    dataVersion = current;
    return versions;
  };
}
