import type { OfferRow } from '../storage/inventory.ts';
import { IS_OFFER, OFFER_COLUMNS } from '../storage/offer-columns.ts';
import { REFERENCE_VERSION, readReferenceTables } from '../storage/reference-tables.ts';
import type { SqlDatabase, SqlInput, SqlStatement, SqlValue } from '../storage/sql-database.ts';
import { findBestPerHotel } from './find-best-per-hotel.ts';
import { findEveryOffer } from './find-every-offer.ts';
import type { PackageQuestion, PackageRepository } from './package-repository.ts';

/** Rows of whole numbers (and, for an offer, its link), as arrays. */
export type AskStore = (sql: string, values: readonly SqlInput[]) => SqlValue[][];

/** Searches over an open connection to the embedded store, which it owns and closes. */
export function sqlitePackageRepository(database: SqlDatabase): PackageRepository {
  const statements = new Map<string, SqlStatement>();
  const prepared = (sql: string): SqlStatement => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const ask: AskStore = (sql, values) => prepared(sql).rows(...values);
  const reference = cachedReferenceVersion(ask);

  return {
    async search(question) {
      let asked = 0;
      const askCounted: AskStore = (sql, values) => {
        asked += 1;
        return ask(sql, values);
      };
      const { days, stays } = departures(askCounted, question);
      const find = question.collapse === 'hotel' ? findBestPerHotel : findEveryOffer;
      const found = find(askCounted, question, days, stays);
      return { ...found, statements: asked };
    },
    async findByKey(keys) {
      const sql = `select ${OFFER_COLUMNS.join(', ')} from offer where ${IS_OFFER}`;
      return keys.flatMap((key) => ask(sql, key) as unknown as OfferRow[]);
    },
    async referenceVersion() {
      return reference();
    },
    async readReference() {
      return readReferenceTables(database);
    },
    async close() {
      database.close();
    },
  };
}

/** The days and stays that the question allows and the store can have: a wide window is cut to what is there. */
function departures(ask: AskStore, question: PackageQuestion): { days: number[]; stays: number[] } {
  const [held] = ask(
    'select (select min(departure_day) from offer), (select max(departure_day) from offer)',
    [],
  );
  const [first, last] = held ?? [];
  if (typeof first !== 'number' || typeof last !== 'number') return { days: [], stays: [] };
  const from = Math.max(question.firstDay, first);
  const to = Math.min(question.lastDay, last);
  const stays = (ask('select nights from stay order by nights', []) as [number][]).map(([nights]) => nights);
  return {
    days: Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index),
    stays: question.nights === null ? stays : stays.filter((nights) => nights === question.nights),
  };
}

/** Asks for the version only after another connection wrote: `data_version` costs next to nothing. */
function cachedReferenceVersion(ask: AskStore): () => string {
  let seen: unknown = null;
  let version = '';
  return () => {
    const written = ask('pragma data_version', [])[0]?.[0];
    if (written === seen) return version;
    const note = ask('select value from note where name = ?', [REFERENCE_VERSION])[0]?.[0];
    seen = written;
    version = typeof note === 'string' ? note : '';
    return version;
  };
}
