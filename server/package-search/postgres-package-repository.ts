import { LRUCache } from 'lru-cache';
import { monthOfDay } from '../../domain/month.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { IS_OFFER, OFFER, OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import { type CachedCatalogue, catalogueVersions } from '../inventory/tables/cached-catalogue.ts';
import { REFERENCE_VERSION } from '../inventory/tables/reference-tables.ts';
import { memoizeWeak } from '../lib/memoize.ts';
import { numbersBetween } from '../lib/numbers-between.ts';
import type { WorkQueue } from '../lib/work-queue.ts';
import { noteValue, READ_NOTE } from '../storage/notes.ts';
import { numbered } from '../storage/postgres/client.ts';
import type { QueryPostgres } from '../storage/postgres/pipeline.ts';
import type { ReadPool } from '../storage/postgres/read-pool.ts';
import type { RowReader } from '../storage/sql-database.ts';
import { lowestPrices } from './lowest-prices.ts';
import {
  INTERNAL_SEARCH,
  type LowestPricesResult,
  type OfferFilters,
  type PackageQuery,
  type PackageRepository,
  type QueriesFor,
  type SearchCaller,
  type SearchResult,
} from './package-repository.ts';
import { readPartiesOnSale } from './parties-on-sale.ts';
import { postgresSearchEngine } from './postgres-search-engine.ts';
import { recordCodes } from './record-codes.ts';
import { cachedResortPositions, readResortPositions } from './resort-positions.ts';
import { pagesOf } from './search.ts';
import { isLongWindow } from './search-engine.ts';
import { isWide } from './wide-search.ts';

/** How long the dictionaries count as current without a search that confirms it. */
const LIFETIME_MS = 1_000;

/**
 * Searches a store in PostgreSQL. Owns and closes the pool. Throws `StoreUnavailable` if no server responds
 * or a searched day cannot be reached. Wide searches wait in `queue`.
 */
export function postgresPackageRepository(pool: ReadPool, queue: WorkQueue): PackageRepository {
  const readerOf = preparedReader();
  const catalogues = catalogueVersions();
  const codesIn = recordCodes();
  /** The store's version in a snapshot, read once for all its searches. */
  const versionIn = memoizeWeak((server: QueryPostgres) => readVersion(readerOf(server)));
  const positionsIn = cachedResortPositions();
  /** When a server last confirmed that the latest catalogue is current. */
  let confirmedAt = Number.NEGATIVE_INFINITY;

  /**
   * Searches in one snapshot. Sends queries for the latest known catalogue together with a query for the
   * version. If the version differs, makes new queries and sends them in the same snapshot.
   */
  async function searchIn(server: QueryPostgres, queriesFor: QueriesFor): Promise<SearchResult> {
    const reader = readerOf(server);
    const pagesIn = (current: CachedCatalogue, queries: readonly PackageQuery[]) =>
      pagesOf(queries, current, reader, codesIn(reader), postgresSearchEngine);
    const expected = catalogues.latest();
    const readingVersion = versionIn(server);
    const early = expected === null ? [] : queriesFor(expected);
    // Refined queries add records to the catalogue's cache, so they wait until its version is confirmed.
    const isEarly = early.every(({ refine }) => refine === undefined);
    const optimistic = expected !== null && isEarly ? pagesIn(expected, early) : null;
    const [found, newest] = await Promise.all([optimistic, readingVersion]);
    const catalogue = await catalogues.at(newest, reader.rows);
    confirmedAt = performance.now();
    let pages = catalogue === expected ? found : null;
    if (pages === null) {
      const queries = queriesFor(catalogue);
      pool.requireRows(queries.flatMap(rowsOf));
      pages = await pagesIn(catalogue, queries);
    }
    const offers = pages.flatMap((page) => page.offers);
    await catalogue.load(reader, offers);
    return { catalogue, pages };
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
  const newestVersion = keptFor(() => pool.readNewest(({ query }) => readVersion(readerOf(query))));

  return {
    async search(queriesFor, caller = INTERNAL_SEARCH) {
      const expected = catalogues.latest();
      const queries = expected === null ? [] : queriesFor(expected);
      const isFresh = performance.now() - confirmedAt < LIFETIME_MS;
      if (expected !== null && queries.length === 0 && isFresh) return { catalogue: expected, pages: [] };
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
      return found.flat() as unknown as OfferRow[];
    },
    catalogue: () => newestCatalogue.forceFetch(REFERENCE_VERSION),
    resortPositions: (version) =>
      positionsIn(version, () =>
        pool.read('none', ({ inSnapshot }) =>
          inSnapshot(async (server) => {
            const { rows } = readerOf(server);
            const [version, positions] = await Promise.all([versionIn(server), readResortPositions(rows)]);
            return { version, positions };
          }, true),
        ),
      ),
    partiesOnSale: (nowMs) =>
      pool.read('all', ({ inSnapshot }) =>
        inSnapshot((server) => readPartiesOnSale(readerOf(server), nowMs), true),
      ),
    referenceVersion: () => newestVersion.forceFetch(REFERENCE_VERSION),
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

type ReaderOf = (server: QueryPostgres) => RowReader;

/** The most statements that PostgreSQL keeps for each connection: filters combine to any number. */
const MAX_STATEMENTS = 200;

/** Readers with named statements, planned once per connection, since planning costs as much as searching. */
function preparedReader(): ReaderOf {
  const statements = new Map<string, { name: string; text: string }>();

  function prepared(sql: string): { name?: string; text: string } {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const text = numbered(sql);
    if (statements.size === MAX_STATEMENTS) return { text };
    const statement = { name: `search${statements.size + 1}`, text };
    statements.set(sql, statement);
    return statement;
  }

  return (server) => ({
    rows: (sql, values) => server({ ...prepared(sql), values }),
    anyOf: (expression) => `${expression} = any(?)`,
    anyOfRows: (expressions) => `(${expressions.join(', ')}) in
      (select ${expressions.map((_, nth) => `(one ->> ${nth})::int`).join(', ')}
        from jsonb_array_elements(?::jsonb) as listed (one))`,
  });
}

async function readVersion({ rows }: RowReader): Promise<string> {
  return noteValue(await rows(READ_NOTE, [REFERENCE_VERSION])) ?? '';
}

/** The days and months that a query may read. */
function rowsOf(query: PackageQuery): number[] {
  const days = numbersBetween(query.firstDay, query.lastDay);
  return isLongWindow(query) ? [...days, ...monthsOf(query)] : days;
}

function monthsOf({ firstDay, lastDay }: OfferFilters): number[] {
  return numbersBetween(monthOfDay(firstDay), monthOfDay(lastDay));
}
