import { LRUCache } from 'lru-cache';
import { monthOfDay } from '../../../domain/month.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { offerOf } from '../../inventory/offer.ts';
import { IS_OFFER, OFFER, OFFER_COLUMNS } from '../../inventory/offer-columns.ts';
import {
  type CachedCatalogue,
  catalogueVersions,
  readHotelsBy,
} from '../../inventory/tables/cached-catalogue.ts';
import {
  type InventoryVersions,
  READ_VERSIONS,
  REFERENCE_VERSION,
  versionsOf,
} from '../../inventory/tables/reference-tables.ts';
import { memoize, memoizeWeak } from '../../lib/memoize.ts';
import { numbersBetween } from '../../lib/numbers-between.ts';
import type { WorkQueue } from '../../lib/work-queue.ts';
import { noteValue, READ_NOTE } from '../../storage/notes.ts';
import { numbered } from '../../storage/postgres/client.ts';
import type { ReadPool } from '../../storage/postgres/read-pool.ts';
import { MAX_STATEMENTS, type QueryPostgres } from '../../storage/postgres/statements.ts';
import type { RowReader } from '../../storage/sql-database.ts';
import { lowestPrices } from '../blocks/lowest-prices.ts';
import {
  INTERNAL_SEARCH,
  type LowestPricesResult,
  type OfferFilters,
  type PackageQuery,
  type PackageRepository,
  type QueriesFor,
  type SearchCaller,
  type SearchResult,
} from '../query/package-repository.ts';
import { recordCodes } from '../query/record-codes.ts';
import { cachedResortPositions, readResortPositions } from '../query/resort-positions.ts';
import { isLongWindow } from '../query/search-engine.ts';
import { readPartiesOnSale } from './parties-on-sale.ts';
import { postgresSearchEngine } from './postgres-search-engine.ts';
import { namedPages, pagesOf } from './search.ts';
import { isWide } from './wide-search.ts';

/** How long the dictionaries and their version are shared. */
const LIFETIME_MS = 1_000;

/**
 * Searches a store in PostgreSQL. Owns and closes the pool. Throws `StoreUnavailable` if no server responds
 * or a searched day cannot be reached. Wide searches wait in `queue`.
 */
export function postgresPackageRepository(pool: ReadPool, queue: WorkQueue): PackageRepository {
  const catalogues = catalogueVersions();
  const codesIn = recordCodes();
  /** The store's versions in a snapshot, read once for all its searches. */
  const versionsIn = memoizeWeak((server: QueryPostgres) => readVersions(readerOf(server)));
  const positionsIn = cachedResortPositions();

  /**
   * Searches in one snapshot. Sends queries for the latest known catalogue together with a query for the
   * version. If the version differs, makes new queries and sends them in the same snapshot.
   */
  async function searchIn(server: QueryPostgres, queriesFor: QueriesFor): Promise<SearchResult> {
    const reader = readerOf(server);
    const pagesIn = (current: CachedCatalogue, queries: readonly PackageQuery[]) =>
      pagesOf(queries, current, reader, codesIn(reader), postgresSearchEngine);
    const expected = catalogues.latest();
    const readingVersions = versionsIn(server);
    const early = expected === null ? [] : queriesFor(expected);
    // Refined queries add records to the catalogue's cache, so they wait until its version is confirmed.
    const isEarly = early.every(({ refine }) => refine === undefined);
    const optimistic = expected !== null && isEarly ? pagesIn(expected, early) : null;
    const [found, newest] = await Promise.all([optimistic, readingVersions]);
    const catalogue = await catalogues.at(newest.reference, reader.rows);
    let pages = catalogue === expected ? found : null;
    if (pages === null) {
      const queries = queriesFor(catalogue);
      pool.requireRows(queries.flatMap(rowsOf));
      pages = await pagesIn(catalogue, queries);
    }
    const offers = pages.flatMap((page) => page.offers);
    await catalogue.load(reader, offers);
    return { catalogue, pages: namedPages(pages), inventoryVersion: newest.inventory };
  }

  async function lowestPricesIn(
    server: QueryPostgres,
    queryFor: Parameters<PackageRepository['lowestPrices']>[0],
  ): Promise<LowestPricesResult> {
    const { catalogue } = await searchIn(server, () => []);
    const query = queryFor(catalogue);
    if (query === null) return { catalogue, prices: [], isTooWide: false };
    pool.requireRows(monthsOf(query));
    const engine = postgresSearchEngine(readerOf(server));
    return { catalogue, ...(await lowestPrices(engine, query)) };
  }

  /** Reads for a caller. Long reads wait for a connection of their own. */
  function readFor<T>(
    caller: SearchCaller,
    isLong: boolean,
    rows: readonly number[],
    find: (query: QueryPostgres) => Promise<T>,
  ): Promise<T> {
    const reading = (signal: AbortSignal) =>
      pool.readWhole(rows, isLong, { signal, deadline: caller.deadline }, find);
    return isLong ? queue.run(caller, reading) : reading(caller.signal);
  }

  const newestCatalogue = keptFor(async () => {
    const { catalogue } = await pool.readNewest(({ inSnapshot }) =>
      inSnapshot((server) => searchIn(server, () => []), false),
    );
    return catalogue;
  });
  const newestVersion = keptFor(async () => {
    const { reference } = await pool.readNewest(({ query }) => readVersions(readerOf(query)));
    return reference;
  });

  return {
    async search(queriesFor, caller = INTERNAL_SEARCH) {
      const expected = catalogues.latest();
      const queries = expected === null ? [] : queriesFor(expected);
      const isLong = isWide(queries, caller);
      const madeOnce: QueriesFor = (catalogue) => (catalogue === expected ? queries : queriesFor(catalogue));
      return readFor(caller, isLong, queries.flatMap(rowsOf), (query) => searchIn(query, madeOnce));
    },
    async lowestPrices(queryFor, caller = INTERNAL_SEARCH) {
      const expected = catalogues.latest();
      const query = expected === null ? null : queryFor(expected);
      const months = query === null ? [] : monthsOf(query);
      return readFor(caller, true, months, (one) => lowestPricesIn(one, queryFor));
    },
    async findByKey(keys) {
      const sql = `select ${OFFER_COLUMNS.join(', ')} from offer where ${IS_OFFER}`;
      const days = keys.map((key) => key[OFFER.departureDay]);
      const found = await pool.read(days, ({ inSnapshot }) =>
        inSnapshot((server) => {
          const { rows } = readerOf(server);
          return Promise.all(keys.map((key) => rows(sql, key)));
        }, false),
      );
      return (found.flat() as unknown as OfferRow[]).map(offerOf);
    },
    hotelsBy: (which) => pool.read('none', ({ query }) => readHotelsBy(readerOf(query), which)),
    catalogue: () => newestCatalogue.forceFetch(REFERENCE_VERSION),
    resortPositions: (version) =>
      positionsIn(version, () =>
        pool.read('none', ({ inSnapshot }) =>
          inSnapshot(async (server) => {
            const { rows } = readerOf(server);
            const [versions, positions] = await Promise.all([versionsIn(server), readResortPositions(rows)]);
            return { version: versions.reference, positions };
          }, true),
        ),
      ),
    partiesOnSale: (nowMs) =>
      pool.read('all', ({ inSnapshot }) =>
        inSnapshot((server) => readPartiesOnSale(readerOf(server), nowMs), true),
      ),
    referenceVersion: () => newestVersion.forceFetch(REFERENCE_VERSION),
    inventoryVersion: async () =>
      (await pool.read('none', ({ query }) => readVersions(readerOf(query)))).inventory,
    async readNote(name) {
      return noteValue(await pool.readNewest(({ query }) => readerOf(query).rows(READ_NOTE, [name])));
    },
    close: () => pool.close(),
  };
}

/** Caches for `LIFETIME_MS`. Concurrent callers share one read; failures are not cached. */
function keptFor<T extends object | string>(read: () => Promise<T>): LRUCache<string, T> {
  return new LRUCache({ max: 1, ttl: LIFETIME_MS, fetchMethod: read });
}

/** Reads over a connection, which keeps the plans of its statements. */
function readerOf(server: QueryPostgres): RowReader {
  return {
    rows: (sql, values) => server({ text: numberedSql(sql), values }),
    anyOf: (expression) => `${expression} = any(?)`,
    anyOfRows: (expressions) => `(${expressions.join(', ')}) in
      (select ${expressions.map((_, nth) => `(one ->> ${nth})::int`).join(', ')}
        from jsonb_array_elements(?::jsonb) as listed (one))`,
  };
}

const numberedSql = memoize(MAX_STATEMENTS, numbered);

async function readVersions({ rows }: RowReader): Promise<InventoryVersions> {
  return versionsOf(await rows(READ_VERSIONS, []));
}

/** The days and months that a query may read. */
function rowsOf(query: PackageQuery): number[] {
  const days = numbersBetween(query.firstDay, query.lastDay);
  return isLongWindow(query) ? [...days, ...monthsOf(query)] : days;
}

function monthsOf({ firstDay, lastDay }: OfferFilters): number[] {
  return numbersBetween(monthOfDay(firstDay), monthOfDay(lastDay));
}
