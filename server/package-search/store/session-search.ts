import type { OfferRow } from '../../inventory/inventory.ts';
import { totalPrice } from '../../inventory/offer-charges.ts';
import { OFFER } from '../../inventory/offer-columns.ts';
import { type CachedCatalogue, catalogueVersions } from '../../inventory/tables/cached-catalogue.ts';
import { REFERENCE_VERSION } from '../../inventory/tables/reference-tables.ts';
import { memoize } from '../../lib/memoize.ts';
import { readNote } from '../../storage/notes.ts';
import type { RowReader, SqlSession } from '../../storage/sql-database.ts';
import { toPackageQuery } from '../query/package-query.ts';
import { recordCodes } from '../query/record-codes.ts';
import { departureDays } from '../query/search-cost.ts';
import type { SearchRequest } from '../query/search-request.ts';
import { postgresSearchEngine } from './postgres-search-engine.ts';
import { pagesOf } from './search.ts';
import { sqliteSearchEngine } from './sqlite-search-engine.ts';

/** Days of departure of one query. A longer window is searched in pieces, each small enough for the price blocks. */
const MAX_DAYS = 31;

const MAX_STATEMENTS = 200;

/** A brand that sells every provider that is not hidden, as the page's does. */
const EVERY_BRAND = '*';

/** What the searches of one store share. */
export function searchNames() {
  return { catalogues: catalogueVersions(), codesIn: recordCodes() };
}

/** Searches in a session, such as a transaction: the packages with the lowest totals, one per hotel. */
export function sessionSearch(session: SqlSession, { catalogues, codesIn }: ReturnType<typeof searchNames>) {
  const prepared = memoize(MAX_STATEMENTS, (sql: string) => session.prepare(sql));
  const isSqlite = session.engine === 'sqlite';
  const reader: RowReader = {
    rows: (sql, values) => prepared(sql).rows(...values),
    anyOf: session.anyOf,
    anyOfRows: (expressions) => {
      const columns = (from: string, type: string) =>
        expressions.map((_, nth) => `(${from} ->> ${nth})${type}`).join(', ');
      return `(${expressions.join(', ')}) in (select ${
        isSqlite
          ? `${columns('value', '')} from json_each(?)`
          : `${columns('one', '::int')} from jsonb_array_elements(?::jsonb) as listed (one)`
      })`;
    },
  };
  const codes = codesIn(reader);

  async function catalogue(): Promise<CachedCatalogue> {
    return catalogues.at((await readNote(session, REFERENCE_VERSION)) ?? '', reader.rows);
  }

  return {
    reader,
    catalogue,
    /** At most `limit` packages by total. 'too wide': the search would read too much. */
    async cheapest(
      { filters, refine }: Pick<SearchRequest, 'filters' | 'refine'>,
      limit: number,
      nowMs: number,
    ): Promise<OfferRow[] | 'too wide'> {
      const names = await catalogue();
      const asked = { filters: { ...filters, brand: EVERY_BRAND }, sortBy: 'PRICE_ASC', limit } as const;
      const collapse = refine?.hotelCode ? 'none' : 'hotel';
      const query = toPackageQuery(asked, names, { brandCode: EVERY_BRAND, collapse, nowMs });
      if (query === null) return [];
      const isShort = refine !== null || departureDays(filters) <= MAX_DAYS;
      const step = isShort ? Number.POSITIVE_INFINITY : MAX_DAYS;
      const queries = [];
      for (let day = query.firstDay; day <= query.lastDay; day += step)
        queries.push({
          ...query,
          ...(refine !== null && { refine, hasFacets: false }),
          firstDay: day,
          lastDay: Math.min(query.lastDay, day + step - 1),
          after: null,
          knownCount: null,
        });
      const pages = await pagesOf(
        queries,
        names,
        reader,
        codes,
        isSqlite ? sqliteSearchEngine : postgresSearchEngine,
      );
      if (pages.some(({ isTooWide }) => isTooWide)) return 'too wide';
      const offers = pages
        .flatMap((page) => page.offers)
        .toSorted((one, other) => totalPrice(one) - totalPrice(other));
      const first = new Map<number, OfferRow>();
      for (const offer of offers) {
        const hotel = names.sameHotels.get(offer[OFFER.hotel])?.[0] ?? offer[OFFER.hotel];
        if (!first.has(hotel)) first.set(hotel, offer);
      }
      return [...first.values()].slice(0, limit);
    },
  };
}
