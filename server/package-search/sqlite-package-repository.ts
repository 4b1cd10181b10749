import type { OfferRow } from '../inventory/inventory.ts';
import { IS_OFFER, OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import {
  type CachedCatalogue,
  catalogueVersions,
  readRecordsOf,
} from '../inventory/tables/cached-catalogue.ts';
import { REFERENCE_VERSION } from '../inventory/tables/reference-tables.ts';
import { readNote } from '../storage/notes.ts';
import type { RowReader, SqlDatabase, SqlInput, SqlStatement, SqlValue } from '../storage/sql-database.ts';
import { lowestPrices } from './lowest-prices.ts';
import { measuredSearches } from './measured-searches.ts';
import { offerConditions } from './offer-conditions.ts';
import type {
  FoundPage,
  FoundPrices,
  LowestPricesQuery,
  OfferFilters,
  PackageQuery,
  PackageRepository,
  SearchResult,
} from './package-repository.ts';
import { readPartiesOnSale } from './parties-on-sale.ts';
import { dayOfRank } from './rank.ts';
import { recordCodes } from './record-codes.ts';
import { cachedResortPositions, readResortPositions } from './resort-positions.ts';
import { search } from './search.ts';
import { INTERNAL_SEARCH, type SearchCaller } from './search-caller.ts';
import { isLongWindow } from './search-engine.ts';
import { isWidelyShared } from './shared-places.ts';
import { sqliteSearchEngine } from './sqlite-search-engine.ts';
import { tieOrder } from './tie-order.ts';
import {
  isForThread,
  packPrices,
  unpackPrices,
  type WideSearchApi,
  type WideSearches,
} from './wide-search.ts';

/** Attempts in the other thread while imports keep changing the store between the two. */
const MAX_ATTEMPTS = 3;

/** Ranges of the key that may be looked up in the main thread to count the packages of a search. */
const MOST_LOOK_UPS = 10_000;

/** The same for a long window: another thread searches it, and this one only has to know how large it is. */
const MOST_LOOK_UPS_OF_LONG = 1_000;

/** What every package of a place fulfils. */
const NO_FILTERS = {
  boards: null,
  providers: null,
  halfStars: null,
  lastReturnDay: Number.MAX_SAFE_INTEGER,
  now: 0,
};

/** What the size of a query depends on. */
type SizedQuery = OfferFilters & Partial<Pick<PackageQuery, 'collapse' | 'sort'>>;

const NO_PRICES: FoundPrices = { prices: [], isTooWide: false };

/** An embedded store on one connection. */
export interface SqlitePackageRepository extends PackageRepository {
  /** Searches on behalf of another thread. */
  searchFor: WideSearchApi['searchFor'];
  /** Finds lowest prices on behalf of another thread. */
  lowestPricesFor: WideSearchApi['lowestPricesFor'];
  /** Reads the positions of resorts on behalf of another thread. */
  resortPositionsFor: WideSearchApi['resortPositionsFor'];
}

/**
 * Searches over an open connection to the embedded store, which it owns and closes. Wide searches run in another
 * thread if there is one, and so does what looks through all parties.
 */
export function sqlitePackageRepository(
  database: SqlDatabase,
  wideSearch: WideSearches | null = null,
): SqlitePackageRepository {
  const rowsNow = cachedStatements(database);
  const reader: RowReader = {
    rows: async (sql, values) => rowsNow(sql, values),
    anyOf: database.anyOf,
    anyOfRows: (expressions) => `(${expressions.join(', ')}) in
      (select ${expressions.map((_, nth) => `value ->> ${nth}`).join(', ')} from json_each(?))`,
  };
  const inSnapshot = sharedTransaction(database);
  const version = cachedVersion(database, rowsNow);
  const catalogues = catalogueVersions();
  const codesIn = recordCodes();
  const measured = measuredSearches();
  const positionsIn = cachedResortPositions();
  const currentCatalogue = () => catalogues.at(version(), reader.rows);

  /** The pages, each with the milliseconds of the processor that it took. */
  function pagesOf(
    queries: readonly PackageQuery[],
    catalogue: CachedCatalogue,
  ): Promise<{ found: FoundPage; ms: number }[]> {
    const ties = tieOrder(catalogue, codesIn(reader));
    return Promise.all(
      queries.map((query) => measured.measure(query, () => search(sqliteSearchEngine(reader), query, ties))),
    );
  }

  function pricesOf(query: LowestPricesQuery): Promise<{ found: FoundPrices; ms: number }> {
    return measured.measure(query, () => lowestPrices(sqliteSearchEngine(reader), query));
  }

  /**
   * The packages that a search may look through, whatever it leaves out afterwards: `most` if it takes long to count them.
   * None for a long window that the price blocks answer: it is never searched in the main thread.
   */
  async function packagesOf(query: SizedQuery, most: number): Promise<number> {
    if (!readsOffers(query)) return 0;
    if (isWidelyShared(query)) return most;
    const { days, stays } = await sqliteSearchEngine(reader).departures(query);
    const places = query.places?.count ?? 1;
    const lookUps = days.length * (stays?.length ?? 1) * places * query.airports.length;
    if (lookUps > (isLongWindow(query) ? MOST_LOOK_UPS_OF_LONG : MOST_LOOK_UPS)) return most;
    const everything = { ...query, ...NO_FILTERS };
    const { sql, values } = offerConditions(reader, everything, { days, stays });
    const counted = `select count(*) from (select 1 from offer where ${sql} limit ?)`;
    const [row] = await reader.rows(counted, [...values, most]);
    return Number(row?.[0]);
  }

  const resortPositionsFor = () =>
    inSnapshot(async () => ({ version: version(), positions: await readResortPositions(reader.rows) }));

  /** The caller with the cost of its search as it was measured, if that is more. */
  async function withMeasuredCost(
    queries: readonly (PackageQuery | LowestPricesQuery)[],
    caller: SearchCaller,
  ): Promise<SearchCaller> {
    const { units, requestUnits } = caller;
    // The other fields of the request have not been measured: each is taken to cost as much for its units.
    const parts = requestUnits / units;
    const cost = await measured.unitsOf(queries, packagesOf, parts);
    return { ...caller, units: Math.max(units, cost), requestUnits: Math.max(requestUnits, cost * parts) };
  }

  return {
    async search(queriesFor, caller = INTERNAL_SEARCH) {
      for (let attempt = 1; ; attempt += 1) {
        let wide: readonly PackageQuery[] | null = null;
        let asker = caller;
        const { catalogue, pages } = await inSnapshot(async (): Promise<SearchResult> => {
          const current = await currentCatalogue();
          const queries = queriesFor(current);
          asker = await withMeasuredCost(queries, caller);
          if (wideSearch !== null && attempt <= MAX_ATTEMPTS && isForThread(queries, asker)) {
            wide = queries;
            return { catalogue: current, pages: [] };
          }
          const found = (await pagesOf(queries, current)).map((page) => page.found);
          await current.load(reader, offersOf(found));
          return { catalogue: current, pages: found };
        });
        if (wide === null || wideSearch === null) return { catalogue, pages };
        const queries: readonly PackageQuery[] = wide;
        const found = await wideSearch.searchFor(queries, asker);
        for (const [nth, query] of queries.entries()) measured.note(query, found.ms[nth] ?? 0);
        if (found.version === catalogue.version) {
          catalogue.add(found.records);
          return { catalogue, pages: found.pages };
        }
      }
    },
    async lowestPrices(queryFor, caller = INTERNAL_SEARCH) {
      for (let attempt = 1; ; attempt += 1) {
        let wide: LowestPricesQuery | null = null;
        let asker = caller;
        const found = await inSnapshot(async () => {
          const catalogue = await currentCatalogue();
          const query = queryFor(catalogue);
          if (query === null) return { catalogue, ...NO_PRICES };
          asker = await withMeasuredCost([query], caller);
          if (wideSearch !== null && attempt <= MAX_ATTEMPTS && isForThread([query], asker)) {
            wide = query;
            return { catalogue, ...NO_PRICES };
          }
          return { catalogue, ...(await pricesOf(query)).found };
        });
        if (wide === null || wideSearch === null) return found;
        const { version: foundIn, prices, isTooWide, ms } = await wideSearch.lowestPricesFor(wide, asker);
        measured.note(wide, ms);
        if (foundIn === found.catalogue.version) {
          return { catalogue: found.catalogue, prices: unpackPrices(prices), isTooWide };
        }
      }
    },
    lowestPricesFor: (query) =>
      inSnapshot(async () => {
        const { found, ms } = await pricesOf(query);
        return { version: version(), prices: packPrices(found.prices), isTooWide: found.isTooWide, ms };
      }),
    searchFor: (queries) =>
      inSnapshot(async () => {
        const measuredPages = await pagesOf(queries, await currentCatalogue());
        const pages = measuredPages.map(({ found }) => found);
        const records = await readRecordsOf(reader, offersOf(pages));
        return { version: version(), pages, records, ms: measuredPages.map(({ ms }) => ms) };
      }),
    async findByKey(keys) {
      const sql = `select ${OFFER_COLUMNS.join(', ')} from offer where ${IS_OFFER}`;
      return inSnapshot(async () => keys.flatMap((key) => rowsNow(sql, key) as unknown as OfferRow[]));
    },
    catalogue: () => inSnapshot(currentCatalogue),
    // Another thread is waited for outside any transaction, which an import's pages would else be kept for.
    resortPositions: (asked) => positionsIn(asked, wideSearch?.resortPositionsFor ?? resortPositionsFor),
    resortPositionsFor,
    partiesOnSale: (nowMs) =>
      wideSearch === null
        ? inSnapshot(() => readPartiesOnSale(reader, nowMs))
        : wideSearch.partiesOnSale(nowMs),
    async referenceVersion() {
      database.requireFile();
      return version();
    },
    readNote: async (name) => readNote(database, name),
    async close() {
      database.close();
    },
  };
}

/** Whether a query reads the packages of whole days: of long windows, those by date do, and those that list every package. */
function readsOffers(query: SizedQuery): boolean {
  if (!isLongWindow(query)) return true;
  const { collapse, sort } = query;
  return collapse === 'none' || (sort !== undefined && dayOfRank(sort, 0) !== null);
}

function offersOf(pages: readonly FoundPage[]): OfferRow[] {
  return pages.flatMap(({ offers }) => offers);
}

/** Reads rows; prepares each statement once. */
function cachedStatements(database: SqlDatabase): (sql: string, values: readonly SqlInput[]) => SqlValue[][] {
  const statements = new Map<string, SqlStatement>();
  return (sql, values) => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement.rows(...values);
  };
}

/**
 * Runs work in a read transaction. The work waits for nothing but this connection, so all work of one turn of the event
 * loop ends within the turn, and shares one transaction.
 */
function sharedTransaction(database: SqlDatabase): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  return async (work) => {
    if (running === 0) database.beginReading();
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      // Nothing was written, so a rollback ends it in every case.
      if (running === 0) database.rollback();
    }
  };
}

/** Reads the version again only after another connection has written: `data_version` costs almost nothing. */
function cachedVersion(database: SqlDatabase, rows: ReturnType<typeof cachedStatements>): () => string {
  let dataVersion: unknown = null;
  let version = '';
  return () => {
    const current = rows('pragma data_version', [])[0]?.[0];
    if (current === dataVersion) return version;
    version = readNote(database, REFERENCE_VERSION) ?? '';
    dataVersion = current;
    return version;
  };
}
