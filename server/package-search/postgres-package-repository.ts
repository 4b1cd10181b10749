import { monthOfDay } from '../../domain/month.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { IS_OFFER, OFFER, OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import { type CachedCatalogue, catalogueVersions } from '../inventory/tables/cached-catalogue.ts';
import { REFERENCE_VERSION } from '../inventory/tables/reference-tables.ts';
import { keptFor } from '../lib/kept-for.ts';
import { isStoreUnavailable, StoreUnavailable } from '../lib/store-unavailable.ts';
import type { WorkQueue } from '../lib/work-queue.ts';
import { noteValue, READ_NOTE } from '../storage/notes.ts';
import type { CitusWorkers } from '../storage/postgres/citus-workers.ts';
import { numbered } from '../storage/postgres/client.ts';
import type { QueryPostgres } from '../storage/postgres/pipeline.ts';
import type { ReadPool } from '../storage/postgres/read-pool.ts';
import type { PostgresConnections } from '../storage/postgres/server.ts';
import type { Waiter } from '../storage/postgres/snapshot.ts';
import { wholeCommits } from '../storage/postgres/whole-commits.ts';
import type { RowReader } from '../storage/sql-database.ts';
import { lowestPrices } from './lowest-prices.ts';
import type {
  FoundPage,
  LowestPricesResult,
  OfferFilters,
  PackageQuery,
  PackageRepository,
  QueriesFor,
  SearchResult,
} from './package-repository.ts';
import { readPartiesOnSale } from './parties-on-sale.ts';
import { postgresSearchEngine } from './postgres-search-engine.ts';
import { recordCodes } from './record-codes.ts';
import { cachedResortPositions, readResortPositions } from './resort-positions.ts';
import { search } from './search.ts';
import { INTERNAL_SEARCH, type SearchCaller } from './search-caller.ts';
import { isLongWindow } from './search-engine.ts';
import { tieOrder } from './tie-order.ts';
import { isWide } from './wide-search.ts';

/** How long the dictionaries are assumed to be unchanged without a search, in milliseconds. */
const LIFETIME = 1_000;

/** The departure days of the packages that are read, and the months of the price blocks; all of them, or none. */
type RowsRead = 'all' | 'none' | (() => readonly number[]);

/**
 * Searches over a store in PostgreSQL, whose pool it owns and closes. Throws `StoreUnavailable` if no server responds, or
 * if a worker of Citus that does not respond has packages of the search's departure days. Wide searches wait in `queue`.
 */
export function postgresPackageRepository(
  pool: ReadPool,
  workers: Pick<CitusWorkers, 'isCitus' | 'silentFor' | 'silentGroups' | 'groupsOf' | 'losses'>,
  queue: WorkQueue,
): PackageRepository {
  const readerOf = preparedReader();
  const catalogues = catalogueVersions();
  const codesIn = recordCodes();
  const versionIn = versionPerSnapshot(readerOf);
  const positionsIn = cachedResortPositions();
  const commits = wholeCommits(workers, (server) => readVersion(readerOf(server, false)));
  /** When a server last confirmed that the latest catalogue is current. */
  let confirmedAt = Number.NEGATIVE_INFINITY;

  /** Throws `StoreUnavailable` if a silent worker has some of the rows. */
  function refuseSilent(rows: RowsRead): void {
    const { silentFor } = workers;
    if (silentFor.size === 0 || rows === 'none') return;
    if (rows === 'all' || rows().some((value) => silentFor.has(value))) throw new StoreUnavailable();
  }

  /** Reads again if the work was abandoned for a worker that it does not need. */
  async function read<T>(
    rows: RowsRead,
    work: (server: PostgresConnections) => Promise<T>,
    from: (work: (server: PostgresConnections) => Promise<T>) => Promise<T> = pool.read,
  ): Promise<T> {
    for (;;) {
      const { losses } = workers;
      try {
        return await from((server) => {
          refuseSilent(rows);
          return work(server);
        });
      } catch (error) {
        if (!isStoreUnavailable(error) || workers.losses === losses) throw error;
      }
    }
  }

  /**
   * Runs work in a snapshot. On Citus, what it reads has the whole of each commit: the packages of several days, and those
   * of one day with their names, are on several nodes.
   */
  function inWholeSnapshot<T>(
    server: PostgresConnections,
    rows: readonly number[],
    work: (query: QueryPostgres) => Promise<T>,
    isLong: boolean,
    waiter: Waiter,
  ): Promise<T> {
    return workers.isCitus
      ? commits.read(server, rows, work, isLong, waiter)
      : server.inSnapshot(work, isLong, waiter);
  }

  /**
   * Searches in one snapshot. The queries for the latest known catalogue are sent at once, together with one for the
   * version. If the version differs, they are made and sent again, still in this snapshot.
   */
  async function searchIn(
    server: QueryPostgres,
    isLong: boolean,
    queriesFor: QueriesFor,
  ): Promise<SearchResult> {
    const reader = readerOf(server, isLong);
    const expected = catalogues.latest();
    const readingVersion = versionIn(server);
    const optimistic = expected === null ? null : pagesOf(reader, queriesFor(expected), expected);
    const [found, newest] = await Promise.all([optimistic, readingVersion]);
    const catalogue = await catalogues.at(newest, reader.rows);
    confirmedAt = performance.now();
    const isCurrent = found !== null && catalogue === expected;
    const pages = isCurrent ? found : await newPagesOf(reader, queriesFor(catalogue), catalogue);
    await catalogue.load(
      reader,
      pages.flatMap(({ offers }) => offers),
    );
    return { catalogue, pages };
  }

  async function lowestPricesIn(
    server: QueryPostgres,
    queryFor: Parameters<PackageRepository['lowestPrices']>[0],
  ): Promise<LowestPricesResult> {
    const { catalogue } = await searchIn(server, false, () => []);
    const query = queryFor(catalogue);
    if (query === null) return { catalogue, prices: [], isTooWide: false };
    refuseSilent(() => monthsOf(query));
    const engine = postgresSearchEngine(readerOf(server, isLongWindow(query)));
    return { catalogue, ...(await lowestPrices(engine, query)) };
  }

  /** Reads for a caller. What is long waits for a connection of its own. `values`: as in `WholeCommits`. */
  function readFor<T>(
    caller: SearchCaller,
    isLong: boolean,
    rows: RowsRead,
    values: readonly number[],
    find: (query: QueryPostgres) => Promise<T>,
  ): Promise<T> {
    const reading = (signal: AbortSignal) => {
      const waiter = { signal, rest: null, waitsUntil: performance.now() + caller.deadline.leftMs };
      return read(rows, (server) => inWholeSnapshot(server, values, find, isLong, waiter));
    };
    return isLong ? queue.run(caller, reading) : reading(caller.signal);
  }

  /** Reads what only the coordinator has. */
  function readNewest<T>(work: (server: PostgresConnections) => Promise<T>): Promise<T> {
    return read('none', work, pool.readNewest);
  }

  /** The pages of queries that were not known before the snapshot. */
  async function newPagesOf(
    reader: RowReader,
    queries: readonly PackageQuery[],
    catalogue: CachedCatalogue,
  ): Promise<FoundPage[]> {
    refuseSilent(() => queries.flatMap(rowsOf));
    return pagesOf(reader, queries, catalogue);
  }

  function pagesOf(
    reader: RowReader,
    queries: readonly PackageQuery[],
    catalogue: CachedCatalogue,
  ): Promise<FoundPage[]> {
    const ties = tieOrder(catalogue, codesIn(reader));
    return Promise.all(queries.map((query) => search(postgresSearchEngine(reader), query, ties)));
  }

  return {
    async search(queriesFor, caller = INTERNAL_SEARCH) {
      const expected = catalogues.latest();
      const queries = expected === null ? [] : queriesFor(expected);
      const isFresh = performance.now() - confirmedAt < LIFETIME;
      if (expected !== null && queries.length === 0 && isFresh) return { catalogue: expected, pages: [] };
      const isLong = isWide(queries, caller);
      const madeOnce: QueriesFor = (catalogue) => (catalogue === expected ? queries : queriesFor(catalogue));
      const rows = queries.flatMap(rowsOf);
      return readFor(
        caller,
        isLong,
        () => rows,
        rows,
        (query) => searchIn(query, isLong, madeOnce),
      );
    },
    async lowestPrices(queryFor, caller = INTERNAL_SEARCH) {
      const expected = catalogues.latest();
      const query = expected === null ? null : queryFor(expected);
      const values = query === null ? [] : [...daysOf(query), ...monthsOf(query)];
      const rows: RowsRead = query === null ? 'none' : () => monthsOf(query);
      return readFor(caller, true, rows, values, (one) => lowestPricesIn(one, queryFor));
    },
    async findByKey(keys) {
      const sql = `select ${OFFER_COLUMNS.join(', ')} from offer where ${IS_OFFER}`;
      const days = () => keys.map((key) => key[OFFER.departureDay]);
      const found = await read(days, ({ inSnapshot }) =>
        inSnapshot((server) => {
          const { rows } = readerOf(server, false);
          return Promise.all(keys.map((key) => rows(sql, key)));
        }, false),
      );
      return found.flat() as unknown as OfferRow[];
    },
    catalogue: keptFor(LIFETIME, async () => {
      const { catalogue } = await readNewest(({ inSnapshot }) =>
        inSnapshot((server) => searchIn(server, false, () => []), false),
      );
      return catalogue;
    }),
    resortPositions: (asked) =>
      positionsIn(asked, () =>
        read('none', ({ inSnapshot }) =>
          inSnapshot(async (server) => {
            const { rows } = readerOf(server, true);
            const [version, positions] = await Promise.all([versionIn(server), readResortPositions(rows)]);
            return { version, positions };
          }, true),
        ),
      ),
    partiesOnSale: (nowMs) =>
      read('all', ({ inSnapshot }) =>
        inSnapshot((server) => readPartiesOnSale(readerOf(server, true), nowMs), true),
      ),
    referenceVersion: keptFor(LIFETIME, () => readNewest(({ query }) => readVersion(readerOf(query, false)))),
    async readNote(name) {
      return noteValue(await readNewest(({ query }) => readerOf(query, false).rows(READ_NOTE, [name])));
    },
    close: () => pool.close(),
  };
}

type ReaderOf = (server: QueryPostgres, isLong: boolean) => RowReader;

/** Readers whose statements have names: each is planned once per connection, since planning costs as much as searching. */
function preparedReader(): ReaderOf {
  const statements = new Map<string, { name: string; text: string }>();

  function prepared(sql: string): { name: string; text: string } {
    const statement = statements.get(sql) ?? { name: `search${statements.size + 1}`, text: numbered(sql) };
    statements.set(sql, statement);
    return statement;
  }

  return (server, isLong) => ({
    rows: (sql, values) => server({ ...prepared(sql), values, isLong }),
    anyOf: (expression) => `${expression} = any(?)`,
    anyOfRows: (expressions) => `(${expressions.join(', ')}) in
      (select ${expressions.map((_, nth) => `(one ->> ${nth})::int`).join(', ')}
        from jsonb_array_elements(?::jsonb) as listed (one))`,
  });
}

/** The store's version in a snapshot; searches that share the snapshot read it once. */
function versionPerSnapshot(readerOf: ReaderOf): (server: QueryPostgres) => Promise<string> {
  const versions = new WeakMap<QueryPostgres, Promise<string>>();
  return (server) => {
    const version = versions.get(server) ?? readVersion(readerOf(server, false));
    versions.set(server, version);
    return version;
  };
}

async function readVersion({ rows }: RowReader): Promise<string> {
  return noteValue(await rows(READ_NOTE, [REFERENCE_VERSION])) ?? '';
}

/** What an answer to a query may have to read. */
function rowsOf(query: PackageQuery): number[] {
  return isLongWindow(query) ? [...daysOf(query), ...monthsOf(query)] : daysOf(query);
}

function daysOf({ firstDay, lastDay }: OfferFilters): number[] {
  return Array.from({ length: Math.max(0, lastDay - firstDay + 1) }, (_, nth) => firstDay + nth);
}

function monthsOf({ firstDay, lastDay }: OfferFilters): number[] {
  const first = monthOfDay(firstDay);
  return Array.from({ length: monthOfDay(lastDay) - first + 1 }, (_, nth) => first + nth);
}
